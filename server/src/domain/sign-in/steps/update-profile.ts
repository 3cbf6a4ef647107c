import { DomainError, type FieldError } from '../../../platform/errors/index.ts'
import { asUser } from '../../context/index.ts'
import { changeOwnProfile, loadUser, type OwnProfile, readOwnProfile } from '../../users/index.ts'
import type { ProfileField } from '../pages.ts'
import { completeAction } from '../actions-store.ts'
import type { Step } from '../types.ts'

const fields: ProfileField[] = ['email', 'firstName', 'lastName', 'phone']
// As long as an attribute of that kind may be.
const maxLength = 255

/** The person looks over what is known of them. A changed address has to be proved anew. */
export const updateProfileAction: Step<OwnProfile | null> = {
  id: 'UPDATE_PROFILE',
  async prepare({ input }) {
    if (fields.every((field) => input[field] === undefined)) return null
    const text = (field: ProfileField) => (input[field] ?? '').trim().slice(0, maxLength)
    return { email: text('email'), firstName: text('firstName'), lastName: text('lastName'), phone: text('phone') }
  },
  async decide(ctx, { state }, values) {
    const userId = state.userId!
    const { record } = await loadUser(ctx, userId, values !== null)
    const show = (shown: OwnProfile, errors: FieldError[]) => ({
      kind: 'PAGE' as const,
      failed: errors.length > 0,
      page: { page: 'UPDATE_PROFILE' as const, username: state.username!, values: shown, errors },
    })
    if (!values) return show(readOwnProfile(record), [])
    const acting = { ...ctx, actor: asUser(ctx.realmId, { id: userId, username: state.username! }) }
    try {
      await changeOwnProfile(acting, record, values)
    } catch (error) {
      if (error instanceof DomainError && error.fields.length > 0) return show(values, error.fields)
      throw error
    }
    await completeAction(ctx.tx, ctx.realmId, userId, 'UPDATE_PROFILE')
    return { kind: 'PASSED' }
  },
}
