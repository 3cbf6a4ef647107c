// Finds the name an operator probably meant, by edit distance.

// More than a third of the name changed is another name, not a slip.
const maxSlipShare = 1 / 3

export function findClosestName(wrong: string, names: readonly string[]): string | null {
  // Distances grow with the product of the lengths, and no name of ours comes near this.
  if (wrong.length > 100) return null
  let best: { name: string; distance: number } | null = null
  for (const name of names) {
    const distance = measureDistance(wrong, name)
    if (best === null || distance < best.distance) best = { name, distance }
  }
  // The shared prefix is on every name, so it says nothing about how near two names are.
  const meaningful = wrong.replace(/^GATEHOUSE_/, '').length
  return best !== null && best.distance <= Math.max(1, meaningful * maxSlipShare) ? best.name : null
}

function measureDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
