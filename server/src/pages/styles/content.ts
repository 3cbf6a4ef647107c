// The parts of pages that show things: profile, permissions, links, references, error codes.

export const content = `
.gh-section { margin-block-start: 2rem; }
.gh-heading { font-size: 1rem; font-weight: 650; }
.gh-note { margin-block-start: 0.75rem; color: var(--gh-muted); font-size: 0.9375rem; }
.gh-card > .gh-note:last-child { margin-block-start: 2rem; padding-block-start: 1.25rem; border-block-start: 1px solid var(--gh-border); }
.gh-code {
  padding: 0.125rem 0.375rem;
  background: var(--gh-surface-soft);
  border-radius: 5px;
  color: var(--gh-muted);
  font: 0.8125rem/1.5 var(--gh-font-mono);
  overflow-wrap: anywhere;
  unicode-bidi: isolate;
}

.gh-profile { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; margin-block-start: 1.5rem; }
.gh-avatar {
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 3.5rem;
  block-size: 3.5rem;
  border-radius: 50%;
  background: var(--gh-primary);
  color: var(--gh-on-primary);
  font-size: 1.375rem;
  font-weight: 600;
}
.gh-profile-text { flex: 1 1 12rem; min-inline-size: 0; overflow-wrap: anywhere; }
.gh-profile-label, .gh-profile-email { color: var(--gh-muted); font-size: 0.9375rem; }
.gh-profile-name { font-size: 1.125rem; font-weight: 600; line-height: 1.35; }

.gh-permissions { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: 0 2rem; margin-block-start: 0.25rem; }
.gh-permissions li {
  display: grid;
  justify-items: start;
  align-content: start;
  gap: 0.25rem;
  padding-block: 0.75rem;
  border-block-end: 1px solid var(--gh-border);
}
.gh-permissions bdi { display: block; }
.gh-permissions bdi::first-letter { text-transform: uppercase; }
.gh-tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 0.75rem; margin-block-start: 0.75rem; }
.gh-tiles li { display: grid; }
.gh-tile {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem;
  min-block-size: 3.25rem;
  padding: 0.75rem 1rem;
  border: 1px solid var(--gh-border);
  border-radius: var(--gh-radius);
  color: var(--gh-text);
  font-weight: 550;
  text-decoration: none;
  transition: border-color 120ms, background-color 120ms;
}
.gh-tile::after {
  content: "";
  flex: none;
  inline-size: 0.5rem;
  block-size: 0.5rem;
  border-block-start: 2px solid var(--gh-accent);
  border-inline-end: 2px solid var(--gh-accent);
  rotate: 45deg;
}
[dir="rtl"] .gh-tile::after { rotate: -45deg; }
.gh-tile:hover { background: var(--gh-surface-soft); border-color: var(--gh-accent); }
.gh-tile:focus-visible { border-radius: var(--gh-radius); }

.gh-reference {
  margin-block-start: 2rem;
  padding: 1rem;
  background: var(--gh-surface-soft);
  border-radius: var(--gh-radius);
  font-size: 0.9375rem;
}
.gh-reference-label { font-weight: 600; }
.gh-reference .gh-code { padding: 0; background: none; color: var(--gh-text); user-select: all; }
.gh-reference-help { margin-block-start: 0.375rem; color: var(--gh-muted); }

.gh-codes { margin-block-start: 1.25rem; }
.gh-causes { margin-block-start: 0.5rem; }
.gh-causes li + li { margin-block-start: 1rem; padding-block-start: 1rem; border-block-start: 1px solid var(--gh-border); }
.gh-causes .gh-text:first-child { margin-block-start: 0; }
.gh-remedy { margin-block-start: 0.25rem; color: var(--gh-muted); }
.gh-places { display: flex; flex-wrap: wrap; gap: 0.375rem; margin-block: 0.5rem; }
.gh-code-row {
  display: grid;
  grid-template-columns: 3rem 1fr auto;
  align-items: baseline;
  gap: 0 0.75rem;
  min-block-size: 2.75rem;
  padding: 0.625rem 0.5rem;
  margin-inline: -0.5rem;
  border-block-end: 1px solid var(--gh-border);
  color: var(--gh-text);
  text-decoration: none;
}
.gh-codes li:last-child .gh-code-row { border-block-end: 0; }
.gh-code-row:hover { background: var(--gh-surface-soft); }
.gh-code-row:hover .gh-code-title { text-decoration: underline; text-underline-offset: 0.2em; }
.gh-code-status { color: var(--gh-muted); font-variant-numeric: tabular-nums; }
@media (max-width: 32rem) {
  .gh-code-row { grid-template-columns: 2.5rem 1fr; }
  .gh-code-row .gh-code { grid-column: 2; justify-self: start; }
  .gh-profile form, .gh-profile .gh-button { inline-size: 100%; }
}
`
