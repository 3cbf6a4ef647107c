import type { Services } from '../context/index.ts'

/** Who signatures are meant for. */
export function issuerOf({ config }: Services, realmId: string): string {
  return `${config.baseUrl}/realms/${realmId}`
}
