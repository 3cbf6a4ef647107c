import { z } from 'zod'
import { SignInput } from '../../domain/transactions/index.ts'

const { code, password, assertion } = SignInput.shape

const Approval = z.discriminatedUnion('method', [
  z.object({ decision: z.literal('APPROVE'), method: z.literal('TOTP'), code: code.unwrap() }),
  z.object({ decision: z.literal('APPROVE'), method: z.literal('PASSWORD'), password: password.unwrap() }),
  z.object({ decision: z.literal('APPROVE'), method: z.literal('WEBAUTHN'), assertion: assertion.unwrap() }),
])

/** What the page sends: a proof with a yes, nothing with a no. */
export const SignForm = z.union([z.object({ decision: z.literal('REJECT') }), Approval])
