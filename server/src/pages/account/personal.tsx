// Who somebody is: their name and language, and the addresses that only a fresh sign-in changes (contract 4.32, S39).

import { Alert, Field } from '../components/index.ts'
import { sortErrors } from '../field-errors.ts'
import { isLocale, languageName, translate } from '../messages/index.ts'
import type { FieldError } from '../../platform/errors/index.ts'
import { renderDocument } from '../shell.tsx'
import { type AccountFrame, AccountPage, ActionForm, Panel, StepLink, stepHref } from './frame.tsx'
import { Badge } from './items.tsx'
import { StepForm, StepPage } from './step.tsx'

export interface Profile {
  username: string
  firstName: string
  lastName: string
  email: string
  emailVerified: boolean
  phone: string
  phoneVerified: boolean
  /** Empty for whoever chose none. */
  language: string
}

export interface PersonalProps {
  frame: AccountFrame
  profile: Profile
  /** The languages of the realm that there are pages in. */
  languages: string[]
  errors: FieldError[]
  /** Whether a mail can be sent that proves the address. */
  canVerify: boolean
}

export function renderPersonalPage(props: PersonalProps): string {
  return renderDocument(<PersonalPage {...props} />)
}

function PersonalPage(props: PersonalProps) {
  const { frame } = props
  const { locale } = frame
  return (
    <AccountPage
      frame={frame}
      page="personal"
      title={translate(locale, 'account.personal.title')}
      text={translate(locale, 'account.personal.text')}
    >
      <Panel id="about" title={translate(locale, 'account.personal.about')}>
        {frame.readOnly ? <AboutFacts {...props} /> : <AboutForm {...props} />}
      </Panel>
      <Contact {...props} />
    </AccountPage>
  )
}

function AboutForm({ frame, profile, languages, errors }: PersonalProps) {
  const { locale } = frame
  const sorted = sortErrors(locale, errors, ['firstName', 'lastName', 'locale'])
  return (
    <>
      {sorted.form && <Alert id="form-error" message={sorted.form} />}
      <ActionForm frame={frame} page="personal" action="profile">
        <dl class="gh-lines">
          <Line name={translate(locale, 'account.personal.username')} value={profile.username} />
        </dl>
        <div class="gh-pair">
          <Field
            name="firstName"
            label={translate(locale, 'profile.firstName')}
            type="text"
            autocomplete="given-name"
            value={profile.firstName}
            error={sorted.fields.firstName}
            autofocus={sorted.first === 'firstName'}
            required={false}
          />
          <Field
            name="lastName"
            label={translate(locale, 'profile.lastName')}
            type="text"
            autocomplete="family-name"
            value={profile.lastName}
            error={sorted.fields.lastName}
            autofocus={sorted.first === 'lastName'}
            required={false}
          />
        </div>
        {languages.length > 1 && <LanguageField frame={frame} chosen={profile.language} languages={languages} />}
        <div>
          <button class="gh-button" type="submit">
            {translate(locale, 'account.save')}
          </button>
        </div>
      </ActionForm>
    </>
  )
}

interface LanguageProps {
  frame: AccountFrame
  chosen: string
  languages: string[]
}

function LanguageField({ frame, chosen, languages }: LanguageProps) {
  return (
    <div class="gh-field">
      <label class="gh-label" for="language">
        {translate(frame.locale, 'account.personal.language')}
      </label>
      <select class="gh-input gh-select" id="language" name="language" autocomplete="language">
        <option value="" selected={!languages.includes(chosen)}>
          {translate(frame.locale, 'account.personal.languageAny')}
        </option>
        {languages.map((code) => (
          <option key={code} value={code} lang={code} selected={code === chosen}>
            {isLocale(code) ? languageName(code) : code}
          </option>
        ))}
      </select>
    </div>
  )
}

function AboutFacts({ frame, profile }: PersonalProps) {
  const { locale } = frame
  const { language } = profile
  const none = translate(locale, 'account.notSet')
  const spoken = isLocale(language) ? languageName(language) : translate(locale, 'account.personal.languageAny')
  return (
    <dl class="gh-lines">
      <Line name={translate(locale, 'account.personal.username')} value={profile.username} />
      <Line name={translate(locale, 'profile.firstName')} value={profile.firstName || none} />
      <Line name={translate(locale, 'profile.lastName')} value={profile.lastName || none} />
      <Line name={translate(locale, 'account.personal.language')} value={spoken} />
    </dl>
  )
}

function Contact({ frame, profile, canVerify }: PersonalProps) {
  const { locale } = frame
  const none = translate(locale, 'account.notSet')
  return (
    <Panel
      id="contact"
      title={translate(locale, 'account.personal.contact')}
      text={translate(locale, 'account.personal.contactText')}
    >
      <dl class="gh-lines">
        <Line
          name={translate(locale, 'profile.email')}
          value={profile.email || none}
          verified={profile.email ? profile.emailVerified : null}
          frame={frame}
        />
        <Line
          name={translate(locale, 'profile.phone')}
          value={profile.phone || none}
          verified={profile.phone ? profile.phoneVerified : null}
          frame={frame}
        />
      </dl>
      <div class="gh-actions">
        <StepLink
          frame={frame}
          href={stepHref(frame, 'personal', 'contact')}
          label={translate(locale, 'account.change')}
        />
        {profile.email !== '' && !profile.emailVerified && canVerify && (
          <StepLink
            frame={frame}
            href={stepHref(frame, 'personal', 'verify')}
            label={translate(locale, 'account.personal.verify')}
            tone="primary"
          />
        )}
      </div>
    </Panel>
  )
}

interface LineProps {
  name: string
  value: string
  /** Null where there is nothing to prove. */
  verified?: boolean | null
  frame?: AccountFrame
}

function Line({ name, value, verified = null, frame }: LineProps) {
  return (
    <div class="gh-line">
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
        {frame && verified !== null && (
          <Badge
            text={translate(frame.locale, verified ? 'account.personal.verified' : 'account.personal.unverified')}
            tone={verified ? 'soft' : 'warning'}
          />
        )}
      </dd>
    </div>
  )
}

export interface ContactStepProps {
  frame: AccountFrame
  values: { email: string; phone: string }
  errors: FieldError[]
}

export function renderContactStep({ frame, values, errors }: ContactStepProps): string {
  const { locale } = frame
  const sorted = sortErrors(locale, errors, ['email', 'phone'])
  const title = translate(locale, 'account.contact.title')
  return renderDocument(
    <StepPage frame={frame} page="personal" title={title} plainTitle={title} alert={sorted.form}>
      <p class="gh-subtitle">{translate(locale, 'account.contact.text')}</p>
      <StepForm frame={frame} page="personal" action="contact" submit={translate(locale, 'account.save')}>
        <Field
          name="email"
          label={translate(locale, 'profile.email')}
          type="email"
          autocomplete="email"
          value={values.email}
          error={sorted.fields.email}
          autofocus={sorted.first === null || sorted.first === 'email'}
          required={false}
        />
        <Field
          name="phone"
          label={translate(locale, 'profile.phone')}
          type="tel"
          autocomplete="tel"
          value={values.phone}
          error={sorted.fields.phone}
          hint={translate(locale, 'account.contact.phoneHint')}
          autofocus={sorted.first === 'phone'}
          required={false}
        />
      </StepForm>
    </StepPage>,
  )
}
