// Document, header, card and footer. Logical properties only, so that right-to-left needs no second sheet.

export const base = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-block-size: 100vh;
  min-block-size: 100dvh;
  display: flex;
  flex-direction: column;
  align-items: center;
  padding: clamp(1.5rem, 8vh, 6rem) 1rem 1.5rem;
  background: var(--gh-background) var(--gh-background-image) no-repeat;
  color: var(--gh-text);
  font: 400 1rem/1.5 var(--gh-font);
  overflow-wrap: break-word;
  -webkit-font-smoothing: antialiased;
}
h1, h2, p, ul { margin: 0; padding: 0; }
ul { list-style: none; }

.gh-header, .gh-main, .gh-footer { inline-size: 100%; max-inline-size: 26.5rem; }
.gh-wide > .gh-header, .gh-wide > .gh-main, .gh-wide > .gh-footer { max-inline-size: 46rem; }
.gh-header {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: 0.75rem;
  margin-block-end: 1.75rem;
  color: var(--gh-on-background);
}
.gh-wide > .gh-header { justify-content: flex-start; }
/* The tallest a logo gets: the card below must not move when it arrives. */
.gh-header-logo { min-block-size: 3.5rem; }
.gh-logo { display: block; max-inline-size: 100%; block-size: auto; max-block-size: 3.5rem; object-fit: contain; }
.gh-mark { flex: none; inline-size: 2.5rem; block-size: 2.5rem; }
.gh-brand-name { min-inline-size: 0; font-size: 1.125rem; font-weight: 600; letter-spacing: -0.01em; }

.gh-card {
  padding: clamp(1.5rem, 6vw, 2.5rem);
  background: var(--gh-surface);
  border: 1px solid var(--gh-border);
  border-radius: calc(var(--gh-radius) * 1.6);
  box-shadow: var(--gh-shadow);
}
.gh-title { font-size: 1.625rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; text-wrap: balance; }
.gh-subtitle { margin-block-start: 0.375rem; color: var(--gh-muted); }
.gh-welcome {
  margin-block-start: 1.25rem;
  padding-inline-start: 0.875rem;
  border-inline-start: 3px solid var(--gh-primary);
  white-space: pre-line;
}
.gh-text { margin-block-start: 0.75rem; }
.gh-eyebrow {
  margin-block-end: 0.5rem;
  color: var(--gh-muted);
  font-size: 0.875rem;
  font-weight: 600;
}

.gh-footer {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 0.25rem 1.25rem;
  margin-block-start: auto;
  padding-block-start: 2rem;
  color: var(--gh-on-background-muted);
  font-size: 0.875rem;
}
.gh-footer-links { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 0.25rem; }
.gh-footer a {
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  padding-inline: 0.5rem;
  color: inherit;
  text-underline-offset: 0.2em;
}
.gh-footer a:focus-visible { outline-color: currentColor; }
.gh-footer a[aria-current] { text-decoration: none; font-weight: 600; }

.gh-link {
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  color: var(--gh-accent);
  font-weight: 500;
  text-decoration-line: underline;
  text-decoration-thickness: 1px;
  text-underline-offset: 0.22em;
}
.gh-link:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--gh-focus); outline-offset: 2px; border-radius: 4px; }
.gh-visually-hidden {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  margin: -1px;
  padding: 0;
  border: 0;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
`
