import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import { ChangedSubjectClaim, SubjectClaim, SubjectClaimInput } from './schema.ts'
import { loadSubjectClaim, replaceSubjectClaim } from './service.ts'

const permission = { anyOf: ['manage-realm'] } as const

export const subjectClaimRoutes: AnyAdminRoute[] = [
  adminRoute<Record<string, never>, undefined, SubjectClaim>({
    method: 'GET',
    path: '/subject-claim',
    permission,
    summary: 'Read what `sub` says about people',
    response: { 200: SubjectClaim },
    load: (ctx) => loadSubjectClaim(ctx, false),
    example: {},
  }),
  adminRoute<Record<string, never>, SubjectClaimInput, SubjectClaim>({
    method: 'PUT',
    path: '/subject-claim',
    permission,
    summary: 'Choose what `sub` says about people',
    description:
      'Applications take a person under another `sub` for somebody else: `affectedClients` says how many see such a change. ' +
      'Clients with a subject claim of their own are not touched.',
    body: SubjectClaimInput,
    response: { 200: ChangedSubjectClaim },
    load: (ctx, _params, forUpdate) => loadSubjectClaim(ctx, forUpdate),
    example: { body: { strategy: 'PAIRWISE' } },
    async handle(ctx, { body, loaded }) {
      const { record, version } = await replaceSubjectClaim(ctx, loaded, body)
      return { status: 200, body: record, version }
    },
  }),
]
