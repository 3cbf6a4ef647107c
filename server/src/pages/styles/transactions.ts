// What a person signs: a tree of names and values in which every value keeps its own place.

export const transactions = `
.gh-signed-content { margin-block-start: 0.75rem; padding: 1rem; background: var(--gh-surface-soft); border: 1px solid var(--gh-border); border-radius: var(--gh-radius); }
.gh-signed-title { font-size: 1.25rem; line-height: 1.4; font-weight: 650; overflow-wrap: anywhere; white-space: pre-wrap; }
.gh-signed-content .gh-code { background: var(--gh-surface); }
.gh-signed { display: grid; grid-template-columns: minmax(0, 1fr); margin: 0.75rem 0 0; }
.gh-signed-member { padding-block: 0.5rem; border-block-start: 1px solid var(--gh-border); }
.gh-signed-member > dt { color: var(--gh-muted); font-size: 0.9375rem; overflow-wrap: anywhere; }
.gh-signed-member > dd { min-inline-size: 0; margin: 0; }
.gh-signed-list { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; list-style: none; }
.gh-signed .gh-signed, .gh-signed-list { margin: 0.25rem 0 0; padding: 0; padding-inline-start: 0.75rem; border-inline-start: 2px solid var(--gh-border); }
.gh-signed .gh-signed > .gh-signed-member:first-child { border-block-start: 0; padding-block-start: 0; }
.gh-signed-value { overflow-wrap: anywhere; white-space: pre-wrap; font-weight: 550; }
.gh-signed-word { font-family: var(--gh-font-mono); }
.gh-signed-facts { margin-block-start: 1.25rem; }
.gh-signed-stronger { margin-block-start: 1rem; }
.gh-signed-reject { margin-block-start: 1rem; }
.gh-other-ways { margin-block-start: 1.25rem; }
.gh-other-ways > summary { min-block-size: 2.75rem; padding-block: 0.625rem; cursor: pointer; font-weight: 550; }
.gh-other-ways > .gh-form + .gh-form { margin-block-start: 1.25rem; padding-block-start: 1.25rem; border-block-start: 1px solid var(--gh-border); }
`
