// Requests that wait for a person on another device: the device grant (RFC 8628) and CIBA in poll mode.
// Contract 2.20, 4.5b, 4.27, 4.30, 4.31; S27, S40.
// Its features are wired in by provider.ts, its codes by adapter.ts, its polls by short-ways.ts; the pages are mounted by ../index.ts.
export { registerApprovals } from './routes.ts'
