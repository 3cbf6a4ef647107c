// Rate limits per realm and key, shared over Redis when there is one, enforced from memory when there is not.
// Contract 5.7 and 8.4; faults F16 and F17.
// Called by the sign-in, client authentication, registration, workload and messaging parts of the domain.
export { defineLimiter } from './define-limiter.ts'
export {
  createLimits,
  type LimitAnswer,
  type LimitCall,
  type Limiter,
  type LimiterOptions,
  type Limits,
} from './limits.ts'
