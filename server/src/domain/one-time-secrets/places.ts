/** Where a sealed value belongs; moved to another row it does not open. */
export function sealedPlace(realmId: string, id: string): string {
  return `one_time_secrets:${realmId}:${id}:sealed`
}
