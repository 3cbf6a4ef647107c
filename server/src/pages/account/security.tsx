// How somebody proves that it is them: the password, passkeys and codes, and the codes for the day those are lost.

import { safeHref } from '../links.ts'
import { type MessageKey, translate, translateCount } from '../messages/index.ts'
import { cleanText } from '../clean-text.ts'
import { renderDocument } from '../shell.tsx'
import { type AccountFrame, AccountPage, accountHref, Panel, StepLink, stepHref } from './frame.tsx'
import { Badge, Empty, Item, Items, When } from './items.tsx'

export interface Factor {
  id: string
  type: 'totp' | 'webauthn'
  label: string | null
  createdAt: number
  lastUsedAt: number | null
  /** A passkey signs in alone; one that does not check its holder is a second factor only. */
  kind: 'passkey' | 'synced' | 'key' | 'app'
}

export interface SecurityProps {
  frame: AccountFrame
  /** Null for whoever signs in without one. */
  password: { changedAt: number | null } | null
  factors: Factor[]
  recoveryCodes: { left: number; createdAt: number } | null
  devices: number
  /** What the realm accepts, and so what can be added. */
  offers: { passkey: boolean; totp: boolean; recoveryCodes: boolean; password: boolean }
}

export function renderSecurityPage(props: SecurityProps): string {
  return renderDocument(<SecurityPage {...props} />)
}

function SecurityPage(props: SecurityProps) {
  const { frame, devices } = props
  const { locale } = frame
  return (
    <AccountPage
      frame={frame}
      page="security"
      title={translate(locale, 'account.security.title')}
      text={translate(locale, 'account.security.text')}
    >
      <Password {...props} />
      <Factors {...props} />
      <RecoveryCodes {...props} />
      <Panel
        id="devices"
        title={translate(locale, 'account.places.devices')}
        text={
          devices === 0
            ? translate(locale, 'account.security.devicesNone')
            : translateCount(locale, 'account.security.devices', devices)
        }
        aside={
          <a class="gh-button gh-button-quiet" href={safeHref(`${accountHref(frame, 'places')}#devices`)}>
            {translate(locale, 'account.security.devicesLink')}
          </a>
        }
      />
    </AccountPage>
  )
}

function Password({ frame, password, offers }: SecurityProps) {
  const { locale, now } = frame
  const label = translate(locale, password ? 'account.security.passwordChange' : 'account.security.passwordChoose')
  return (
    <Panel
      id="password"
      title={translate(locale, 'account.security.password')}
      text={
        password === null ? (
          translate(locale, 'account.security.passwordNone')
        ) : password.changedAt === null ? (
          translate(locale, 'account.security.passwordSet')
        ) : (
          <When locale={locale} id="account.security.passwordChanged" at={password.changedAt} now={now} />
        )
      }
      aside={offers.password && <StepLink frame={frame} href={stepHref(frame, 'security', 'password')} label={label} />}
    />
  )
}

function Factors({ frame, factors, offers }: SecurityProps) {
  const { locale } = frame
  return (
    <Panel
      id="factors"
      title={translate(locale, 'account.security.factors')}
      text={translate(locale, 'account.security.factorsText')}
    >
      {factors.length === 0 && <Empty text={translate(locale, 'account.security.noFactors')} />}
      {factors.length > 0 && (
        <Items>
          {factors.map((factor) => (
            <FactorItem key={factor.id} frame={frame} factor={factor} />
          ))}
        </Items>
      )}
      <div class="gh-actions">
        {offers.passkey && (
          <StepLink
            frame={frame}
            href={stepHref(frame, 'security', 'add', 'passkey')}
            label={translate(locale, 'account.security.addPasskey')}
            tone={factors.length === 0 ? 'primary' : 'quiet'}
          />
        )}
        {offers.totp && (
          <StepLink
            frame={frame}
            href={stepHref(frame, 'security', 'add', 'totp')}
            label={translate(locale, 'account.security.addTotp')}
          />
        )}
      </div>
    </Panel>
  )
}

const kindNames = {
  passkey: 'account.security.passkey',
  synced: 'account.security.passkeySynced',
  key: 'account.security.key',
  app: 'account.security.totp',
} as const satisfies Record<Factor['kind'], MessageKey>

const icons = { passkey: 'passkey', synced: 'passkey', key: 'key', app: 'totp' } as const

/** What somebody called it, else what it is. */
export function factorName({ locale }: AccountFrame, { label, kind }: Factor): string {
  return cleanText(label ?? '') || translate(locale, kindNames[kind === 'synced' ? 'passkey' : kind])
}

/** For this long it is worth saying that something is new: whoever set it up has just come back here. */
const newForMs = 3 * 60_000

function FactorItem({ frame, factor }: { frame: AccountFrame; factor: Factor }) {
  const { locale, now } = frame
  const name = factorName(frame, factor)
  const kind = translate(locale, kindNames[factor.kind])
  const isNew = now - factor.createdAt < newForMs
  return (
    <Item
      icon={icons[factor.kind]}
      name={name}
      badge={isNew && <Badge text={translate(locale, 'account.new')} tone="strong" />}
      lines={[
        ...(kind === name ? [] : [kind]),
        <>
          <When key="added" locale={locale} id="account.added" at={factor.createdAt} now={now} />
          {' · '}
          {factor.lastUsedAt === null ? (
            translate(locale, 'account.neverUsed')
          ) : (
            <When key="used" locale={locale} id="account.lastUsed" at={factor.lastUsedAt} now={now} />
          )}
        </>,
      ]}
    >
      {!frame.readOnly && (
        <>
          <StepLink
            frame={frame}
            href={stepHref(frame, 'security', 'rename', factor.id)}
            label={translate(locale, 'account.rename')}
            name={translate(locale, 'account.rename.title', { name })}
          />
          <StepLink
            frame={frame}
            href={stepHref(frame, 'security', 'remove', factor.id)}
            label={translate(locale, 'account.remove')}
            name={translate(locale, 'account.removeFactor.title', { name })}
            tone="danger"
          />
        </>
      )}
    </Item>
  )
}

function RecoveryCodes({ frame, recoveryCodes, offers }: SecurityProps) {
  const { locale, now } = frame
  if (!offers.recoveryCodes && !recoveryCodes) return null
  const label = recoveryCodes ? 'account.security.renewRecovery' : 'account.security.addRecovery'
  return (
    <Panel
      id="recovery"
      title={translate(locale, 'account.security.recovery')}
      text={translate(locale, 'account.security.recoveryText')}
      aside={
        offers.recoveryCodes && (
          <StepLink
            frame={frame}
            href={stepHref(frame, 'security', 'add', 'recovery-codes')}
            label={translate(locale, label)}
          />
        )
      }
    >
      {recoveryCodes ? (
        <p class="gh-panel-fact">
          <Badge
            text={translateCount(locale, 'account.security.recoveryLeft', recoveryCodes.left)}
            tone={recoveryCodes.left === 0 ? 'warning' : 'soft'}
          />
          <span>
            <When locale={locale} id="account.added" at={recoveryCodes.createdAt} now={now} />
          </span>
        </p>
      ) : (
        <p class="gh-panel-fact">{translate(locale, 'account.security.recoveryNone')}</p>
      )}
    </Panel>
  )
}
