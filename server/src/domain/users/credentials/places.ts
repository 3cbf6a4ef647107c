/** Where the sealed material of a credential belongs; moved to another row it does not open. */
export function secretPlace(realmId: string, id: string): string {
  return `credentials:${realmId}:${id}:secret`
}
