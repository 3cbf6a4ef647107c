// English: devices that somebody enrols (contract 4.33).
// `{name}` marks a value that is filled in.

export const devices = {
  'enroll.title': 'Open this with your authenticator app',
  'enroll.text':
    'This address adds a device to your account. A browser cannot do that; an authenticator app on the device can.',
  'enroll.how':
    'Open the app on your device, choose to add an account, and scan the picture again or paste the whole address.',
  'enroll.caution':
    'Never pass the address on: whoever opens it with an app first can confirm sign-ins to your account.',
  'registerDevice.title': 'Add a device',
  'registerDevice.text': 'From now on you can confirm on your device that it is you who signs in.',
  'registerDevice.scan': 'Scan this picture with the authenticator app on your device.',
  'registerDevice.picture': 'QR code with the address that adds your device',
  'registerDevice.address': 'Or paste this address into the app:',
  'registerDevice.waiting': 'This page goes on by itself as soon as your device is added.',
  'registerDevice.submit': 'My device is added',
  'registerDevice.ended': 'This code no longer works, because a newer one was asked for elsewhere.',
  'registerDevice.renew': 'Show a new code',
} as const
