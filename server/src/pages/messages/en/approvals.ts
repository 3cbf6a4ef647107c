// English: requests that wait on another device (RFC 8628, CIBA).
// `{name}` marks a value that is filled in.

export const approvals = {
  'userCode.title': 'Connect a device',
  'userCode.text': 'Your device shows a code. Type it here to go on.',
  'userCode.label': 'Code on your device',
  'userCode.hint': 'For example BCDF-GHJK. Small letters and spaces are fine.',
  'userCode.submit': 'Continue',
  'userCode.missing': 'Enter the code that your device shows.',
  'userCode.unknown': 'There is no such code. Compare it with your device, letter by letter.',
  'userCode.expired': 'This code has expired. Ask for a new one on your device.',
  'userCode.used': 'This code has been used already. Ask for a new one on your device.',

  'approval.device.title': 'Connect {app} to your account?',
  'approval.device.compare': 'Your device must show this code',
  'approval.device.caution': 'Only go on if you started this yourself on a device that shows this code.',
  'approval.device.origin': 'Where the request comes from',
  'approval.ciba.title': '{app} asks for your approval',
  'approval.ciba.compare': 'Compare this with what the application shows you',
  'approval.ciba.caution': 'Only go on if you expect this request and know what it is for.',
  'approval.ciba.origin': 'The request',
  'approval.device': 'Device',
  'approval.address': 'IP address',
  'approval.asked': 'Asked',
  'approval.left': 'Time left',
  'approval.agent': '{browser} on {system}',
  'approval.unknown': 'Unknown',

  'answered.device.approved.title': 'Go back to your device',
  'answered.device.approved.text':
    '{app} is connected to your account. Your device goes on by itself in a few seconds.',
  'answered.device.approved.unnamed': 'It is connected to your account and goes on by itself in a few seconds.',
  'answered.device.denied.title': 'You denied the request',
  'answered.device.denied.text': '{app} was not connected to your account.',
  'answered.device.denied.unnamed': 'The device was not connected to your account.',
  'answered.device.ended.title': 'This request has ended',
  'answered.device.ended.text':
    'It took too long or was answered before. If you still want to connect your device, ask for a new code there.',
  'answered.ciba.approved.title': 'You approved the request',
  'answered.ciba.approved.text': '{app} goes on by itself in a few seconds.',
  'answered.ciba.approved.unnamed': 'The application goes on by itself in a few seconds.',
  'answered.ciba.denied.title': 'You denied the request',
  'answered.ciba.denied.text': '{app} is told that you said no.',
  'answered.ciba.denied.unnamed': 'The application is told that you said no.',
  'answered.ciba.ended.title': 'This request has ended',
  'answered.ciba.ended.text': 'It took too long or was answered before. If you still want to go on, start again.',
  'answered.close': 'You can close this page.',
} as const
