import { changeProfile, Profile, ProfileInput, readProfile } from '../actions/profile.ts'
import { accountRoute, type AnyAccountRoute } from '../route.ts'

export const profileRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'GET',
    path: '/profile',
    demand: 'READ',
    summary: 'Read your profile',
    description: 'What the realm knows of you.',
    response: { 200: Profile },
    handle: async (ctx, { holder }) => ({ status: 200, body: await readProfile(ctx, holder) }),
  }),
  accountRoute({
    method: 'PUT',
    path: '/profile',
    demand: 'WRITE',
    summary: 'Replace your profile',
    description:
      'Send the full state, as it was read. Of `attributes` only firstName and lastName are yours. Another e-mail address or ' +
      'telephone number needs a sign-in of the last five minutes. A new address counts once the link mailed to it is used, ' +
      'and is `pendingEmail` until then; the old one is told. Without a mail provider it counts at once, unverified.',
    body: ProfileInput,
    response: { 200: Profile },
    handle: async (ctx, { holder, body }) => ({ status: 200, body: await changeProfile(ctx, holder, body) }),
  }),
]
