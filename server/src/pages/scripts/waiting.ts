// Looks every other second whether another device has answered, and then sends the form. Without script its button does.

export const waitingScript = `(() => {
  const form = document.querySelector('form[data-wait]')
  if (!form) return
  const { wait, waitSeconds } = form.dataset
  const scanned = document.querySelector('[data-wait-scanned]')
  const later = () => setTimeout(look, Number(waitSeconds) * 1000)

  const look = async () => {
    try {
      const answer = await fetch(wait, { headers: { accept: 'application/json' }, cache: 'no-store' })
      const { state } = await answer.json()
      if (state === 'READY') {
        if (form.requestSubmit) return form.requestSubmit()
        return HTMLFormElement.prototype.submit.call(form)
      }
      if (state === 'SCANNED' && scanned) scanned.hidden = false
    } catch {}
    later()
  }

  later()
})()
`
