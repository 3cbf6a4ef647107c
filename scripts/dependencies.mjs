// Every dependency has one line in docs/dependencies.md: its name, its exact version and why it is there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param {string} root @returns {string[]} what is missing there, has another version or is listed without need */
export function findUndocumented(root) {
  const wanted = new Map(
    ['package.json', 'server/package.json'].flatMap((file) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, file), 'utf8'))
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    }),
  )
  const text = readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([^`]+)` \| ([^ |]+) \| (.+) \|$/gm)]
  const listed = new Map(rows.map(([, name, version]) => [name, version]))
  return [
    ...[...wanted]
      .filter(([name, version]) => listed.get(name) !== version)
      .map(([name, version]) => `docs/dependencies.md: ${name} ${version} has no line`),
    ...[...listed.keys()]
      .filter((name) => !wanted.has(name))
      .map((name) => `docs/dependencies.md: ${name} is not a dependency`),
    ...[...wanted]
      .filter(([, version]) => !/^\d/.test(version))
      .map(([name, version]) => `${name} ${version}: versions are exact`),
  ]
}
