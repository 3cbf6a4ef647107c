// Pages on which a person reads a transaction and signs or rejects it, and what became of it.
// Contract 3.9, 4.36; RFC 9396; S47; WCAG 2.2 AA.
// Called by protocols/tx.

export { renderTransactionEndedPage, type TransactionEndedPageProps } from './ended.tsx'
export { type PageMethod, renderSignPage, type SignPageProps, type SignProblem } from './sign.tsx'
