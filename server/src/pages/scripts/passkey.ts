// Asks the browser for a passkey and sends the answer with the form. Without script the other ways of the page remain.

// Password managers replace parts of this interface and get toJSON wrong, so what it cannot do is done by hand.
export const passkeyScript = `(() => {
  const form = document.querySelector('form[data-passkey]')
  if (!form) return
  const { passkey, options, failed, unsupported, known } = form.dataset
  const button = form.querySelector('[data-passkey-start]')
  const status = form.querySelector('[data-passkey-status]')
  const Credential = window.PublicKeyCredential
  const creates = passkey === 'create'
  let waiting

  const decode = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0))
  const encode = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=/g, '')
  const decodeIds = (list) => (list || []).map((item) => ({ ...item, id: decode(item.id) }))

  const readOptions = () => {
    const json = JSON.parse(options)
    const parser = creates ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
    if (Credential[parser]) return Credential[parser](json)
    const parsed = { ...json, challenge: decode(json.challenge) }
    if (!creates) return { ...parsed, allowCredentials: decodeIds(json.allowCredentials) }
    const user = { ...json.user, id: decode(json.user.id) }
    return { ...parsed, user, excludeCredentials: decodeIds(json.excludeCredentials) }
  }

  const writeCredential = (credential) => {
    try {
      if (credential.toJSON) return JSON.stringify(credential.toJSON())
    } catch {}
    const { id, rawId, type, response, authenticatorAttachment } = credential
    const parts = {}
    for (const name of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle', 'attestationObject'])
      if (response[name]) parts[name] = encode(response[name])
    if (response.getTransports) parts.transports = response.getTransports()
    const clientExtensionResults = credential.getClientExtensionResults()
    return JSON.stringify({ id, rawId: encode(rawId), type, response: parts, authenticatorAttachment, clientExtensionResults })
  }

  const ask = (mediation) => {
    waiting?.abort()
    waiting = new AbortController()
    const request = { publicKey: readOptions(), signal: waiting.signal }
    if (mediation) request.mediation = mediation
    return creates ? navigator.credentials.create(request) : navigator.credentials.get(request)
  }

  const send = (credential) => {
    form.elements.assertion.value = writeCredential(credential)
    // The passkey speaks for itself: an empty field must not hold the form up, and a password begun must not travel.
    for (const field of form.querySelectorAll('input[type=password]')) field.disabled = true
    form.noValidate = true
    if (form.requestSubmit) form.requestSubmit()
    else HTMLFormElement.prototype.submit.call(form)
  }

  // Passkeys among the suggestions of the username field. Nobody asked for it yet, so a failure says nothing.
  const suggest = async () => {
    try {
      if (await Credential.isConditionalMediationAvailable()) send(await ask('conditional'))
    } catch {}
  }
  const suggests = 'conditional' in form.dataset && Credential && Credential.isConditionalMediationAvailable

  button.addEventListener('click', async () => {
    status.textContent = ''
    if (!Credential || !navigator.credentials) {
      status.textContent = unsupported
      return
    }
    button.disabled = true
    try {
      send(await ask())
    } catch (error) {
      status.textContent = error.name === 'InvalidStateError' ? known : failed
      button.disabled = false
      button.focus()
      if (suggests) suggest()
    }
  })
  if (suggests) suggest()
})()
`
