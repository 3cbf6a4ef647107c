// Authentication flows: the documents that say what a sign-in asks for, what they are made of, and how they are read.
// Contract 1.6, 2.102-2.104 and 8.6; S39 holds because every sign-in runs through `findNext` on the server.
// Called under /flows, /flow and /authenticators, and by domain/sign-in through `flowsSection` and `findNext`.
export { type Authenticator, authenticators } from './authenticators.ts'
export { flowsContribution } from './contribution.ts'
export { type Facts, findNext, type Next } from './evaluate.ts'
export { flowRoutes } from './routes.ts'
export { Flow } from './schema.ts'
export { type FlowsInUse, flowsSection } from './section.ts'
export {
  type FlowCondition,
  type FlowStep,
  type FlowType,
  flowTypes,
  type Requirement,
  requirements,
  type RunnableFlow,
} from './types.ts'
