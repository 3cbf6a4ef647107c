// What is signed, as a tree of names and values: every one of them, and each as it was hashed.

import { visibleText } from './visible-text.ts'

export function Details({ value }: { value: unknown }) {
  if (Array.isArray(value) && value.length > 0) return <Entries entries={value} />
  if (isObject(value) && Object.keys(value).length > 0) return <Members members={value} />
  // Numbers and words of JSON as the canonical form writes them (RFC 8785), which is how JSON.stringify does.
  if (typeof value !== 'string') return <code class="gh-signed-value gh-signed-word">{JSON.stringify(value)}</code>
  return <bdi class="gh-signed-value">{visibleText(value)}</bdi>
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function Members({ members }: { members: Record<string, unknown> }) {
  return (
    <dl class="gh-signed">
      {Object.entries(members).map(([name, value]) => (
        <div key={name} class="gh-signed-member">
          <dt>
            <bdi>{visibleText(name)}</bdi>
          </dt>
          <dd>
            <Details value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Entries({ entries }: { entries: unknown[] }) {
  return (
    <ol class="gh-signed-list">
      {entries.map((entry, at) => (
        // Entries have no names, and the list never changes.
        <li key={at}>
          <Details value={entry} />
        </li>
      ))}
    </ol>
  )
}
