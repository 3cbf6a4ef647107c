/** All of them are listed and asked at once, so there cannot be many. */
export const maxDevices = 20
