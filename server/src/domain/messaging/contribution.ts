import type { Contribution } from '../context/index.ts'
import { contentsPlace, deliveryJobs, eraseMessagesOf, exportMessagesOf } from './delivery/index.ts'
import { checkMessagingHealth, secretPlace } from './providers/index.ts'
import { eraseTokensOf, exportTokensOf, tokenPlace } from './push-tokens/index.ts'

const key = ['realm_id', 'id']
type Row = Record<string, string | Buffer>

export const messagingContribution: Contribution = {
  jobs: deliveryJobs,
  health: [{ component: 'messaging', check: checkMessagingHealth }],
  reactions: {
    // Push tokens go with the person's row.
    userDeleted: eraseMessagesOf,
  },
  sealed: [
    {
      table: 'messaging_providers',
      column: 'secret_sealed',
      key,
      place: (row: Row) => secretPlace(String(row.realm_id), String(row.id)),
    },
    {
      table: 'messages',
      column: 'sealed',
      key,
      place: (row: Row) => contentsPlace(String(row.realm_id), String(row.id)),
    },
    {
      table: 'push_tokens',
      column: 'token_sealed',
      key,
      place: (row: Row) => tokenPlace(String(row.realm_id), String(row.id)),
    },
  ],
  dataSubject: [
    { section: 'pushTokens', tables: ['push_tokens'], exportFor: exportTokensOf, eraseFor: eraseTokensOf },
    { section: 'messages', tables: ['messages'], exportFor: exportMessagesOf, eraseFor: eraseMessagesOf },
  ],
}
