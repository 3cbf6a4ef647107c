// What an application asks for: its home page, the scopes in words, the APIs it will use (RFC 8707).

import { safeWebAddress } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'

export interface AskedScope {
  name: string
  /** What people read: the scope's consent text, else its description, else its name. */
  text: string
  /** True when the person has not granted it to this application before. */
  isNew: boolean
}

/** A protected API the application wants tokens for (RFC 8707). */
export interface AskedResource {
  resource: string
  scopes: string[]
}

/** By its host, as the browser would write it: a look-alike in another script then shows what it is. */
export function HomePage({ address }: { address: string }) {
  return (
    <p class="gh-subtitle">
      <a class="gh-link" href={safeWebAddress(address) ?? '#'} rel="noreferrer">
        <bdi>{URL.parse(address)?.host || address}</bdi>
      </a>
    </p>
  )
}

interface ScopesProps {
  locale: Locale
  scopes: AskedScope[]
  marksNew: boolean
  /** True when nothing else is asked for. */
  alone: boolean
}

export function Scopes({ locale, scopes, marksNew, alone }: ScopesProps) {
  if (scopes.length === 0) return alone ? <p class="gh-text">{translate(locale, 'consent.nothing')}</p> : null
  return (
    <section class="gh-section" aria-labelledby="scopes-title">
      <h2 class="gh-heading" id="scopes-title">
        {translate(locale, 'consent.scopes')}
      </h2>
      <ul class="gh-grants">
        {scopes.map(({ name, text, isNew }) => (
          <li key={name} class="gh-grant">
            <bdi>{text}</bdi>
            {marksNew && isNew && <span class="gh-badge">{translate(locale, 'consent.new')}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Resources({ locale, resources }: { locale: Locale; resources: AskedResource[] }) {
  return (
    <section class="gh-section" aria-labelledby="resources-title">
      <h2 class="gh-heading" id="resources-title">
        {translate(locale, 'consent.resources')}
      </h2>
      <ul class="gh-resources">
        {resources.map(({ resource, scopes }) => (
          <li key={resource}>
            <bdi class="gh-resource">{resource}</bdi>
            {scopes.length > 0 && (
              <span class="gh-resource-scopes">
                {scopes.map((scope) => (
                  <code key={scope} class="gh-code">
                    {scope}
                  </code>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
