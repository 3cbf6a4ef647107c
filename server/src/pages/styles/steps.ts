// The steps of the sign-in: codes, passkeys, enrolment, and the ways around them.

export const steps = `
.gh-input-code { font-family: var(--gh-font-mono); font-size: 1.25rem; letter-spacing: 0.12em; text-align: start; }
.gh-account .gh-link { flex: none; font-size: 0.9375rem; }
div.gh-account { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 0.5rem; padding-block: 0.125rem; }
.gh-account > span { min-inline-size: 0; padding-block: 0.5rem; overflow-wrap: anywhere; }
.gh-alert:empty { display: none; }
.gh-form .gh-alert { margin: 0; }
.gh-or { display: flex; align-items: center; gap: 0.75rem; margin-block: -0.25rem; color: var(--gh-muted); font-size: 0.875rem; }
.gh-or::before, .gh-or::after { content: ""; flex: 1; border-block-start: 1px solid var(--gh-border); }
.gh-doors { display: grid; gap: 0.75rem; }
.gh-doors .gh-button { min-block-size: 3rem; }
@media (scripting: none) {
  .gh-needs-script { display: none; }
}

.gh-resend { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; margin-block-start: 1rem; }
.gh-resend .gh-link-button { margin: 0; }
.gh-resend-wait { color: var(--gh-muted); font-size: 0.9375rem; }
.gh-link-waits { color: var(--gh-muted); font-weight: 400; text-decoration-style: dotted; }
.gh-others { margin-block-start: 1.75rem; padding-block-start: 1.25rem; border-block-start: 1px solid var(--gh-border); }
.gh-others-form { display: grid; gap: 0.5rem; margin-block-start: 0.75rem; }
.gh-terms { display: grid; }
.gh-todo { color: inherit; font-size: inherit; }

.gh-enrol { display: grid; justify-items: start; gap: 0.5rem; margin-block-start: 1.5rem; }
.gh-qr { inline-size: 12rem; block-size: 12rem; justify-self: center; background: #fff; border: 1px solid var(--gh-border); border-radius: var(--gh-radius); fill: #000; forced-color-adjust: none; }
.gh-secret {
  inline-size: 100%;
  padding: 0.625rem 0.875rem;
  background: var(--gh-surface-soft);
  border-radius: var(--gh-radius);
  font: 1rem/1.5 var(--gh-font-mono);
  overflow-wrap: anywhere;
  user-select: all;
}
.gh-recovery {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 12rem), 1fr));
  gap: 0.375rem 1rem;
  margin-block-start: 1.5rem;
  padding: 0.875rem 1rem;
  background: var(--gh-surface-soft);
  border-radius: var(--gh-radius);
}
.gh-recovery code { font: 1.0625rem/1.5 var(--gh-font-mono); overflow-wrap: anywhere; }
@media print {
  .gh-page-recovery-codes .gh-form, .gh-page-recovery-codes .gh-footer, .gh-page-recovery-codes .gh-account .gh-link { display: none; }
}
`
