// Requests that wait on another device: what to compare, where they came from, how they ended.

export const approvals = `
.gh-hint { margin-block-end: 0.25rem; color: var(--gh-muted); font-size: 0.9375rem; }
.gh-input-user-code { min-block-size: 3.75rem; font-size: 1.625rem; font-weight: 600; text-align: center; text-transform: uppercase; }
.gh-form + .gh-account { margin-block-start: 1.5rem; }

.gh-compare { margin-block-start: 1.5rem; padding: 1rem 0.75rem 1.125rem; background: var(--gh-surface-soft); border: 1px solid var(--gh-border); border-radius: var(--gh-radius); text-align: center; }
.gh-compare-label { color: var(--gh-muted); font-size: 0.9375rem; text-wrap: balance; }
.gh-compare-code, .gh-compare-text { margin-block-start: 0.375rem; font-family: var(--gh-font-mono); overflow-wrap: anywhere; }
.gh-compare-code { font-size: clamp(1.75rem, 9vw, 2.375rem); line-height: 1.25; font-weight: 650; letter-spacing: 0.04em; }
.gh-compare-text { font-size: 1.25rem; line-height: 1.4; font-weight: 600; text-wrap: balance; }
.gh-caution { display: flex; gap: 0.625rem; margin-block-start: 1rem; font-weight: 550; }
.gh-caution::before {
  content: "!";
  content: "!" / "";
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  margin-block-start: 0.125rem;
  border-radius: 50%;
  background: var(--gh-primary);
  color: var(--gh-on-primary);
  font-size: 0.8125rem;
  font-weight: 700;
  line-height: 1;
}
.gh-origin { grid-template-columns: fit-content(7.5rem) minmax(0, 1fr); column-gap: 1rem; }
.gh-origin .gh-fact { grid-column: 1 / -1; grid-template-columns: subgrid; gap: 0 1rem; }
.gh-page-approval .gh-section + .gh-text { margin-block-start: 1.25rem; }
.gh-origin .gh-fact dd { overflow-wrap: anywhere; font-weight: 500; }

.gh-numbers { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.75rem; border: 0; padding: 0; margin: 0; min-inline-size: 0; }
.gh-numbers legend { padding: 0; margin-block-end: 0.75rem; }
.gh-numbers .gh-button { font-family: var(--gh-font-mono); font-size: 1.5rem; min-block-size: 3.5rem; }

.gh-ending { text-align: center; }
.gh-ending .gh-text, .gh-ending .gh-subtitle { text-wrap: balance; }
.gh-sign { display: block; inline-size: 4rem; block-size: 4rem; margin: 0 auto 1.25rem; border-radius: 50%; fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; background: var(--gh-surface-soft); stroke: var(--gh-muted); }
.gh-sign-approved { background: var(--gh-primary); stroke: var(--gh-on-primary); }
.gh-sign-denied { background: var(--gh-danger-soft); stroke: var(--gh-danger); }
`
