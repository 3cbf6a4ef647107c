// Lists of what somebody has: factors, sessions, devices, applications, events. A name, what there is to say, what can be done.

import type { ComponentChildren } from 'preact'
import { formatAgo, type Locale, type MessageKey, splitMessage } from '../messages/index.ts'
import { Icon, type IconName } from './icons.tsx'

export function Items({ children }: { children: ComponentChildren }) {
  return <ul class="gh-items">{children}</ul>
}

interface ItemProps {
  icon: IconName
  name: string
  badge?: ComponentChildren
  /** One line each below the name. */
  lines: ComponentChildren[]
  children?: ComponentChildren
}

export function Item({ icon, name, badge, lines, children }: ItemProps) {
  return (
    <li class="gh-item">
      <span class="gh-item-icon">
        <Icon name={icon} />
      </span>
      <div class="gh-item-text">
        <p class="gh-item-name">
          <bdi>{name}</bdi>
          {badge}
        </p>
        {lines.map((line, index) => (
          // The lines of one item never change places.
          // oxlint-disable-next-line no-array-index-key
          <p key={index} class="gh-item-line">
            {line}
          </p>
        ))}
      </div>
      {children && <div class="gh-item-actions">{children}</div>}
    </li>
  )
}

export function Badge({ text, tone = 'soft' }: { text: string; tone?: 'soft' | 'strong' | 'warning' }) {
  return <span class={`gh-tag gh-tag-${tone}`}>{text}</span>
}

export function Empty({ text }: { text: string }) {
  return <p class="gh-empty">{text}</p>
}

const dayMs = 86_400_000

/** Lately in words, before that the day. Both in UTC, since the server does not know where the reader is. */
export function Moment({ locale, at, now }: { locale: Locale; at: number; now: number }) {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const isLately = at <= now && now - at < dayMs
  const text = isLately ? formatAgo(locale, (now - at) / 1000) : day.format(at)
  return <time dateTime={new Date(at).toISOString()}>{text}</time>
}

type TimedMessage =
  | 'account.added'
  | 'account.lastUsed'
  | 'account.security.passwordChanged'
  | 'account.places.since'
  | 'account.places.used'
  | 'account.places.trustedUntil'
  | 'account.apps.since'
  | 'account.privacy.termsAccepted'

/** A sentence about a moment. */
export function When({
  locale,
  id,
  at,
  now,
}: {
  locale: Locale
  id: TimedMessage & MessageKey
  at: number
  now: number
}) {
  return (
    <>
      {splitMessage(locale, id).map((part) =>
        part.placeholder ? <Moment key={part.text} locale={locale} at={at} now={now} /> : part.text,
      )}
    </>
  )
}
