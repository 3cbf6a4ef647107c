// What applications ask of people (consent, sign-out) and what they asked wrongly (errors for their developers).

export const requests = `
.gh-grants { display: grid; margin-block-start: 0.5rem; }
.gh-grant { display: flex; align-items: baseline; gap: 0.75rem; padding-block: 0.625rem; border-block-end: 1px solid var(--gh-border); }
.gh-grant:last-child { border-block-end: 0; }
.gh-grant > bdi { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
.gh-grant::before {
  content: "";
  flex: none;
  inline-size: 0.3125rem;
  block-size: 0.625rem;
  margin-inline: 0.25rem;
  border: solid var(--gh-accent);
  border-width: 0 2px 2px 0;
  rotate: 45deg;
}
.gh-badge {
  flex: none;
  padding: 0.0625rem 0.5rem;
  background: var(--gh-primary);
  border-radius: 1rem;
  color: var(--gh-on-primary);
  font-size: 0.8125rem;
  font-weight: 600;
}
.gh-resources { display: grid; gap: 0.75rem; margin-block-start: 0.75rem; }
.gh-resources li { display: grid; gap: 0.375rem; padding: 0.75rem 0.875rem; background: var(--gh-surface-soft); border-radius: var(--gh-radius); }
.gh-resource { font: 0.875rem/1.5 var(--gh-font-mono); overflow-wrap: anywhere; }
.gh-resource-scopes { display: flex; flex-wrap: wrap; gap: 0.375rem; }
.gh-resource-scopes .gh-code { background: var(--gh-surface); }
.gh-source { display: grid; gap: 0.375rem; margin-block-start: 1rem; padding: 0.75rem 0.875rem; background: var(--gh-surface-soft); border-radius: var(--gh-radius); font-size: 0.9375rem; }
.gh-source-host { font: 600 1.125rem/1.4 var(--gh-font-mono); overflow-wrap: anywhere; }
.gh-advice { color: var(--gh-muted); font-size: 0.9375rem; }
.gh-choices { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.gh-choices .gh-button { flex: 1 1 7rem; min-block-size: 3rem; padding-inline: 0.75rem; white-space: nowrap; }
.gh-whoami {
  display: flex;
  align-items: center;
  gap: 0.875rem;
  margin-block-start: 1.75rem;
  padding-block-start: 1.25rem;
  border-block-start: 1px solid var(--gh-border);
}
.gh-whoami .gh-avatar { inline-size: 2.5rem; block-size: 2.5rem; font-size: 1.0625rem; align-self: flex-start; }
.gh-whoami-text { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; line-height: 1.35; }
.gh-whoami-name { font-weight: 600; }
.gh-link-button { margin-block-end: -0.625rem; padding: 0; background: none; border: 0; font: inherit; font-weight: 500; font-size: 0.9375rem; text-align: start; cursor: pointer; }
.gh-onward { display: grid; margin-block-start: 1.75rem; }
a.gh-button { text-decoration: none; text-align: center; overflow-wrap: anywhere; }

.gh-developers { margin-block-start: 2rem; padding-block-start: 1.75rem; border-block-start: 1px solid var(--gh-border); }
.gh-finding { margin: 0 0 0.375rem; font-size: 1.25rem; line-height: 1.35; font-weight: 650; letter-spacing: -0.01em; }
.gh-developers .gh-heading { margin-block: 1.5rem 0; }
.gh-explained { margin-block-start: 0.25rem; }
.gh-facts { display: grid; margin: 0.5rem 0 0; padding: 0.25rem 1rem; background: var(--gh-surface-soft); border-radius: var(--gh-radius); font-size: 0.9375rem; }
.gh-fact { display: grid; grid-template-columns: minmax(0, 11rem) minmax(0, 1fr); gap: 0 1rem; padding-block: 0.625rem; }
.gh-fact + .gh-fact { border-block-start: 1px solid var(--gh-border); }
.gh-fact dt { color: var(--gh-muted); overflow-wrap: anywhere; }
.gh-fact dd { min-inline-size: 0; margin: 0; }
.gh-fact .gh-code { padding: 0; background: none; color: var(--gh-text); user-select: all; }
@media (max-width: 32rem) {
  .gh-fact { grid-template-columns: minmax(0, 1fr); gap: 0.125rem; }
}
`
