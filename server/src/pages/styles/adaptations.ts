// What changes with the reader's own settings. These rules come last, so that they win over the ones above.

export const adaptations = `
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { transition: none !important; animation: none !important; }
}
@media (forced-colors: active) {
  .gh-card, .gh-alert, .gh-reference, .gh-account, .gh-secret, .gh-recovery, .gh-avatar, .gh-badge, .gh-compare, .gh-sign { border: 1px solid CanvasText; }
  .gh-button { border: 2px solid ButtonText; }
  .gh-sign { stroke: CanvasText; }
  .gh-check input { appearance: auto; }
  .gh-check input::before { display: none; }
  .gh-input[aria-invalid="true"] { border-width: 2px; }
  .gh-field-error::before, .gh-alert::before, .gh-caution::before { border: 1px solid CanvasText; }
  :focus-visible { outline-color: Highlight; }
}
@media (prefers-contrast: more) {
  :root { --gh-border: var(--gh-input-border); --gh-muted: var(--gh-text); --gh-on-background-muted: var(--gh-on-background); }
}
@media print {
  body { background: none; }
  .gh-card { box-shadow: none; }
}
`
