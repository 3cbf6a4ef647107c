// Transactions over HTTP: applications create and consume them, people read and sign them, by API or on a page.
// Specification part 4 (/tx), contract 4.28, 4.36; RFC 9396, RFC 9728, RFC 6750.
// Mounted by app/build-app.
export type { TransactionBearer } from './caller.ts'
export { registerTransactions, type TransactionOptions } from './routes.ts'
