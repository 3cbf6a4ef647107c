import { foldName } from '../../../platform/text/index.ts'
import type { Step } from '../types.ts'
import { loginPage } from './login-page.ts'
import { maxNameLength } from './verify-password.ts'

/** Only the name, where the flow asks for it first. Whether anybody has it is not told here. */
export const usernameStep: Step<string> = {
  id: 'username',
  prepare: async ({ input }) => (input.username ?? '').slice(0, maxNameLength),
  async decide(_ctx, work, name) {
    if (name === null) return { kind: 'PAGE', failed: false, page: await loginPage(work, null) }
    if (foldName(name) === '') return { kind: 'PAGE', failed: true, page: await loginPage(work, 'usernameMissing') }
    work.state.typedName = name
    return { kind: 'PASSED' }
  },
}
