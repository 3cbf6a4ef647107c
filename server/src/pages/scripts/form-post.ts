// Sends the form of response_mode=form_post at once. Without script the button beside it does the same.

// By way of the prototype: a field named `submit` would hide the form's own method.
export const formPostScript = `HTMLFormElement.prototype.submit.call(document.forms[0])
`
