// The banner over every page while an administrator acts as somebody. Its colours are its own in every theme and in the dark:
// it must look like nothing else of the realm (contrast 13:1, the button 15:1).

export const impersonation = `
body.gh-acting { padding-block-start: 0; }
.gh-acting-banner {
  position: sticky;
  inset-block-start: 0;
  z-index: 10;
  align-self: stretch;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 0.625rem 1.25rem;
  margin-inline: -1rem;
  margin-block-end: clamp(1.5rem, 6vh, 4rem);
  padding: 0.625rem 1rem;
  background: #ffc94d;
  border-block-end: 3px solid #1a1200;
  color: #1a1200;
  font-size: 0.9375rem;
  line-height: 1.4;
}
.gh-acting-text { flex: 0 1 auto; max-inline-size: 44rem; min-inline-size: 0; overflow-wrap: anywhere; }
.gh-acting-form { flex: none; margin: 0; }
.gh-button.gh-acting-end { min-block-size: 2.75rem; padding-inline: 1.125rem; background: #1a1200; border-color: #1a1200; color: #ffffff; white-space: nowrap; }
.gh-button.gh-acting-end:hover { background: #3a2a00; border-color: #3a2a00; }
.gh-acting-end:focus-visible { outline-color: #1a1200; }
@media (max-width: 32rem) {
  .gh-acting-banner { justify-content: flex-start; }
  .gh-acting-form, .gh-acting-end { inline-size: 100%; }
}
@media (forced-colors: active) {
  .gh-acting-banner { border-block-end: 3px solid CanvasText; }
}
@media print {
  .gh-acting-banner { position: static; }
  .gh-acting-form { display: none; }
}
`
