// The pages of the sign-in: one for every step that waits for a person.
// Specification part 5, contract 2.48, 2.104 and 4.2-4.5b; S42, S47; WCAG 2.2 AA.
// Called by the routes of the sign-in, which send them with `pageHeaders({ script: stepPageUsesScript(page) })`.

export { describeError, type StepFrame } from './frame.tsx'
export { renderStepPage, stepPageUsesScript, stepPageWaits } from './render.tsx'
export { TermsLink } from './terms.tsx'
