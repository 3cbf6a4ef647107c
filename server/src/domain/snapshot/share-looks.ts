interface Look {
  running: Promise<void>
  next: Promise<void> | null
}

/**
 * Lets many callers share a look at the database, each being sure that it began after they asked: one that is under way may have
 * read before their reason to ask, so they wait for the one after it.
 */
export function shareLooks(look: (realmId: string) => Promise<void>): (realmId: string) => Promise<void> {
  const looks = new Map<string, Look>()

  function start(realmId: string): Promise<void> {
    const entry: Look = { running: look(realmId), next: null }
    looks.set(realmId, entry)
    const forget = () => {
      if (entry.next === null && looks.get(realmId) === entry) looks.delete(realmId)
    }
    entry.running.then(forget, forget)
    return entry.running
  }

  return (realmId) => {
    const entry = looks.get(realmId)
    if (!entry) return start(realmId)
    entry.next ??= entry.running.catch(() => undefined).then(() => start(realmId))
    return entry.next
  }
}
