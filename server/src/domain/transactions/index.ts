// Transactions: what an application wants a person to sign, the person’s answer with its proof, and its use, once.
// Contract 3.9, 4.36; RFC 9396 (authorization_details), RFC 8785 (JCS); S12, S39, S40, S44, S48.
// Called by protocols/tx; the tokens that open it are read by protocols/oidc.
export { isOwner, type TransactionCaller } from './caller.ts'
export { transactionsContribution } from './contribution.ts'
export { listChoices, readOwnTransaction } from './page.ts'
export { signPath, toTransaction } from './record.ts'
export { SignInput, Transaction, TransactionInput } from './schema.ts'
export { consumeTransaction, createTransaction, readTransaction } from './service.ts'
export { answerTransactionAs, type Signer } from './sign.ts'
export { proofsOfAmr } from './strength.ts'
