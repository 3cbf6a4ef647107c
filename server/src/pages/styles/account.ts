// The pages on which people look after their own account: a menu beside panels, and lists of what they have.

export const account = `
.gh-broad > .gh-header, .gh-broad > .gh-main, .gh-broad > .gh-footer { max-inline-size: 67rem; }
.gh-broad > .gh-header { justify-content: flex-start; }
.gh-broad { padding-block-start: clamp(1.25rem, 5vh, 3rem); }
.gh-columns { display: grid; gap: 2.5rem; }
.gh-column { display: grid; align-content: start; gap: 1.25rem; min-inline-size: 0; }
.gh-column > .gh-title { color: var(--gh-on-background); font-size: 1.875rem; }
.gh-column > .gh-subtitle { margin-block-start: -0.875rem; color: var(--gh-on-background-muted); }
.gh-icon { flex: none; inline-size: 1.375rem; block-size: 1.375rem; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }

.gh-menu { display: none; }
.gh-menu ul { display: grid; gap: 0.25rem; }
.gh-menu-link { display: flex; align-items: center; gap: 0.75rem; min-block-size: 2.75rem; padding: 0.5rem 0.875rem; border-radius: var(--gh-radius); color: var(--gh-on-background); font-weight: 500; text-decoration: none; }
.gh-menu-link .gh-icon { color: var(--gh-on-background-muted); }
.gh-menu-link:hover { background: color-mix(in srgb, var(--gh-on-background) 6%, transparent); }
.gh-menu-link[aria-current] { background: var(--gh-surface); box-shadow: var(--gh-shadow); color: var(--gh-text); font-weight: 600; }
.gh-menu-link[aria-current] .gh-icon { color: var(--gh-accent); }
.gh-menu-link:focus-visible { border-radius: var(--gh-radius); }
.gh-back { margin-block: -0.75rem -1.25rem; }
.gh-back .gh-link { color: var(--gh-on-background); text-decoration: none; }
.gh-back .gh-link::before { content: ""; inline-size: 0.5rem; block-size: 0.5rem; margin-inline-end: 0.5rem; border: solid currentColor; border-width: 0 0 2px 2px; rotate: 45deg; }
[dir="rtl"] .gh-back .gh-link::before { rotate: -45deg; }

.gh-panel { padding: clamp(1.25rem, 4vw, 1.75rem); }
.gh-panel-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 1rem; }
.gh-panel-words { flex: 1 1 16rem; min-inline-size: 0; }
.gh-panel-title { font-size: 1.125rem; line-height: 1.35; font-weight: 650; letter-spacing: -0.01em; }
.gh-panel .gh-note { margin-block-start: 0.25rem; padding: 0; border: 0; }
.gh-panel-fact { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.625rem; margin-block-start: 0.75rem; color: var(--gh-muted); }
.gh-panel .gh-form { margin-block-start: 1.25rem; }
.gh-panel .gh-alert { margin-block-start: 1rem; }
.gh-actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block-start: 1.25rem; }
.gh-actions:empty { display: none; }
.gh-choices-apart { margin-block-start: 1.75rem; }
.gh-button-danger { min-block-size: 2.75rem; background: transparent; border-color: color-mix(in srgb, var(--gh-danger) 55%, transparent); color: var(--gh-danger); }
.gh-button-danger:hover { background: var(--gh-danger-soft); border-color: var(--gh-danger); }
.gh-account-name { overflow-wrap: anywhere; }
.gh-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); gap: 1.25rem; align-items: start; }
.gh-select { appearance: none; padding-inline-end: 2.5rem; background-image: linear-gradient(45deg, transparent 50%, var(--gh-muted) 50%), linear-gradient(135deg, var(--gh-muted) 50%, transparent 50%); background-position: calc(100% - 1.125rem) 55%, calc(100% - 0.8125rem) 55%; background-size: 0.3125rem 0.3125rem; background-repeat: no-repeat; text-overflow: ellipsis; }
[dir="rtl"] .gh-select { background-position: 0.8125rem 55%, 1.125rem 55%; }

.gh-notice { display: flex; align-items: flex-start; gap: 0.625rem; padding: 0.875rem 1rem; background: var(--gh-surface); border: 1px solid var(--gh-border); border-inline-start: 4px solid var(--gh-primary); border-radius: var(--gh-radius); font-weight: 500; }
.gh-notice .gh-icon { color: var(--gh-accent); }
.gh-notice-calm { border-inline-start-width: 1px; color: var(--gh-muted); font-weight: 400; }

.gh-items { display: grid; margin-block-start: 0.75rem; }
.gh-item { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.75rem 1rem; padding-block: 1rem; border-block-end: 1px solid var(--gh-border); }
.gh-item:last-child { padding-block-end: 0.25rem; border-block-end: 0; }
.gh-item-icon { flex: none; display: grid; place-items: center; inline-size: 2.5rem; block-size: 2.5rem; border-radius: calc(var(--gh-radius) * 0.9); background: color-mix(in srgb, var(--gh-primary) 10%, var(--gh-surface)); color: var(--gh-accent); }
.gh-item-text { flex: 1 1 12rem; min-inline-size: 0; overflow-wrap: anywhere; }
.gh-item-name { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; font-weight: 600; line-height: 1.35; }
.gh-item-name > bdi { min-inline-size: 0; overflow-wrap: anywhere; }
.gh-item-line { margin-block-start: 0.125rem; color: var(--gh-muted); font-size: 0.9375rem; }
.gh-item-actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.gh-item-actions .gh-button { min-block-size: 2.75rem; padding-inline: 0.875rem; font-size: 0.9375rem; }
.gh-inline { display: contents; }
.gh-allowed { display: flex; gap: 0.5rem; }
.gh-allowed::before { content: ""; flex: none; inline-size: 0.25rem; block-size: 0.5rem; margin: 0.375rem 0.125rem 0; border: solid var(--gh-accent); border-width: 0 2px 2px 0; rotate: 45deg; }
.gh-allowed > bdi { min-inline-size: 0; overflow-wrap: anywhere; }
.gh-tag { min-inline-size: 0; padding: 0.0625rem 0.5rem; border-radius: 1rem; font-size: 0.8125rem; font-weight: 600; }
.gh-tag-soft { background: var(--gh-surface-soft); color: var(--gh-muted); }
.gh-tag-strong { background: var(--gh-primary); color: var(--gh-on-primary); }
.gh-tag-warning { background: var(--gh-danger-soft); color: var(--gh-danger); }
.gh-empty { margin-block-start: 0.75rem; padding: 1rem; background: var(--gh-surface-soft); border-radius: var(--gh-radius); color: var(--gh-muted); }
.gh-lines { display: grid; margin: 0.75rem 0 0; }
.gh-form > .gh-lines { margin: 0; }
.gh-line { display: grid; grid-template-columns: minmax(0, 11rem) minmax(0, 1fr); gap: 0.125rem 1rem; padding-block: 0.75rem; border-block-end: 1px solid var(--gh-border); }
.gh-line:last-child { border-block-end: 0; padding-block-end: 0; }
.gh-form > .gh-lines > .gh-line { padding-block: 0; }
.gh-line dt { color: var(--gh-muted); }
.gh-line dd { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.625rem; min-inline-size: 0; margin: 0; font-weight: 500; }
.gh-line bdi { min-inline-size: 0; overflow-wrap: anywhere; }

.gh-hero { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem 1.25rem; }
.gh-hero .gh-avatar { inline-size: 4rem; block-size: 4rem; font-size: 1.625rem; }
.gh-hero-name { font-size: 1.375rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.015em; }
.gh-todos { padding: clamp(1rem, 3vw, 1.25rem); background: var(--gh-surface); border: 1px solid color-mix(in srgb, var(--gh-danger) 30%, var(--gh-border)); border-radius: calc(var(--gh-radius) * 1.6); }
.gh-todos ul { display: grid; margin-block-start: 0.375rem; }
.gh-todo-link { display: block; color: inherit; text-decoration: none; }
.gh-todo-link .gh-todo-name { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
.gh-todo-link:hover .gh-todo-name { text-decoration-thickness: 2px; }
.gh-todo-words { display: flex; gap: 0.75rem; padding-block: 0.625rem; }
.gh-todo-words .gh-icon { margin-block-start: 0.0625rem; color: var(--gh-danger); }
.gh-todo-name, .gh-todo-text, .gh-doorway-name, .gh-doorway-text { display: block; }
.gh-todo-name, .gh-doorway-name { font-weight: 600; }
.gh-todo-text, .gh-doorway-text { color: var(--gh-muted); font-size: 0.9375rem; }
.gh-doorways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 0.875rem; }
.gh-doorways li { display: grid; }
.gh-doorway { display: flex; gap: 0.875rem; padding: 1.125rem; background: var(--gh-surface); border: 1px solid var(--gh-border); border-radius: calc(var(--gh-radius) * 1.4); color: var(--gh-text); text-decoration: none; transition: border-color 120ms, background-color 120ms; }
.gh-doorway:hover { border-color: var(--gh-accent); }
.gh-doorway:focus-visible, .gh-todo-link:focus-visible { border-radius: var(--gh-radius); }
@media (min-width: 60rem) {
  .gh-columns { grid-template-columns: 16.5rem minmax(0, 1fr); }
  .gh-menu { display: block; margin-inline-start: -0.875rem; padding-block-start: 3.5rem; }
  .gh-back { display: none; }
}
@media (max-width: 36rem) {
  .gh-line { grid-template-columns: minmax(0, 1fr); }
  .gh-item-actions { inline-size: 100%; }
  .gh-item-actions .gh-button, .gh-actions .gh-button, .gh-panel-head > .gh-button { flex: 1 1 auto; text-align: center; }
  .gh-hero form, .gh-hero .gh-button { inline-size: 100%; }
}
`
