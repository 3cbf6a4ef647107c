// What has to be the same here and on the other screen: the code of a device, or the message of an application.

import { cleanText } from '../clean-text.ts'
import { type Locale, translate } from '../messages/index.ts'
import type { ApprovalPageProps } from './approval-props.ts'
import { formatUserCode } from './format-user-code.ts'

export function Comparison(props: ApprovalPageProps & { locale: Locale }) {
  const { locale, kind } = props
  const text = kind === 'device' ? formatUserCode(props.userCode ?? '') : cleanText(props.bindingMessage ?? '')
  if (text === '') return null
  return (
    <div class="gh-compare">
      <p class="gh-compare-label">{translate(locale, `approval.${kind}.compare`)}</p>
      {kind === 'device' ? <UserCode code={text} /> : <BindingMessage text={text} />}
    </div>
  )
}

/** Screen readers would read the letters as a word, so for them they stand one by one. */
function UserCode({ code }: { code: string }) {
  return (
    <p class="gh-compare-code" dir="ltr">
      <span aria-hidden="true">{code}</span>
      <span class="gh-visually-hidden">{Array.from(code).join(' ')}</span>
    </p>
  )
}

/** What fits on one line of a phone in the large letters of a code. */
const shortMessageLength = 14

function BindingMessage({ text }: { text: string }) {
  const isShort = Array.from(text).length <= shortMessageLength
  return (
    <p class={isShort ? 'gh-compare-code' : 'gh-compare-text'}>
      <bdi>{text}</bdi>
    </p>
  )
}
