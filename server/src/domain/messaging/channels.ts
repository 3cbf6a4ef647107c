/** Contract 2.80: the drivers of each channel. */
export const driversOf = {
  EMAIL: ['smtp', 'http'],
  SMS: ['twilio', 'http'],
  PUSH: ['fcm', 'apns'],
} as const

export type Channel = keyof typeof driversOf
export type Driver = (typeof driversOf)[Channel][number]
export type PushDriver = (typeof driversOf)['PUSH'][number]

export const channels = Object.keys(driversOf) as [Channel, ...Channel[]]
export const drivers = [...new Set(Object.values(driversOf).flat())] as [Driver, ...Driver[]]

export function isChannel(text: string | undefined): text is Channel {
  return text !== undefined && Object.hasOwn(driversOf, text)
}

export function hasDriver(channel: Channel, driver: string | undefined): driver is Driver {
  return (driversOf[channel] as readonly string[]).includes(driver ?? '')
}
