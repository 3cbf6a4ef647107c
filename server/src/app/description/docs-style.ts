// The viewer brings a light and a dark scheme; this sheet gives it the colours of our other pages and room on a phone.
// Colours are those of pages/styles/palettes.ts.

export const docsStyle = `:root {
  color-scheme: light;
  --page: #f3f5fa;
  --card: #ffffff;
  --soft: #f6f7fb;
  --text: #131a2a;
  --muted: #566077;
  --line: #d9deea;
  --edge: #858fa5;
  --accent: #3049c4;
  --button: #3b55d9;
  --get: #1f5fbf; --post: #1c7a45; --put: #9a5b00; --patch: #0b7a75; --delete: #b42318;
}
:root.dark-mode {
  color-scheme: dark;
  --page: #0c1019;
  --card: #151b28;
  --soft: #1b2232;
  --text: #e8ecf5;
  --muted: #a0aac0;
  --line: #283145;
  --edge: #6b7690;
  --accent: #a3b5ff;
  --button: #4a66ea;
}
html.dark-mode, body, html.dark-mode body, html.dark-mode #docs .swagger-ui { margin: 0; background: var(--page); color: var(--text); }
body, #docs.swagger-ui, #docs .swagger-ui, #docs .swagger-ui :is(p, table, td, th, label, input, select, textarea, button, h2, h3, h4, h5) {
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif;
}
.docs-header, #docs .swagger-ui .wrapper, .docs-note { max-width: 68rem; margin-inline: auto; padding-inline: 1.25rem; box-sizing: border-box; }
.docs-header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 1rem 2rem; padding-block: 1.5rem 0.25rem; }
.docs-brand { display: flex; align-items: center; gap: 0.75rem; }
.docs-brand h1 { margin: 0; font-size: 1.375rem; font-weight: 650; letter-spacing: -0.015em; }
.docs-caller { display: grid; grid-template-columns: auto minmax(6rem, 12rem) auto; align-items: center; gap: 0.25rem 0.5rem; }
.docs-caller label { font-size: 0.875rem; font-weight: 600; }
.docs-caller input, .docs-caller button {
  box-sizing: border-box; min-height: 2.5rem; padding: 0 0.75rem; border-radius: 8px; font: inherit; font-size: 1rem;
}
.docs-caller input { min-width: 0; border: 1px solid var(--edge); background: var(--card); color: var(--text); }
.docs-caller button { border: 0; background: var(--button); color: #fff; font-weight: 600; cursor: pointer; }
.docs-caller p { grid-column: 1 / -1; margin: 0; color: var(--muted); font-size: 0.875rem; }
.docs-header a, .docs-note a { color: var(--accent); }
:is(.docs-header, #docs) :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

#docs .swagger-ui { color: var(--text); }
/* The session is a cookie and there is one server: the viewer's own ways to choose them only mislead. */
#docs .swagger-ui :is(.topbar, .scheme-container, .authorization__btn, .info .title, .info .link, .info hgroup) { display: none; }
#docs .swagger-ui .information-container .info { margin: 0.75rem 0; }
#docs .swagger-ui .info :is(p, li, .base-url), #docs .swagger-ui .info__license { color: var(--muted); font-size: 0.9375rem; }
#docs .swagger-ui .info__license { display: none; }
#docs .swagger-ui .filter, #docs .swagger-ui .filter > * { display: block; width: 100%; }
#docs .swagger-ui .filter .operation-filter-input { width: 100%; max-width: none; box-sizing: border-box; margin: 0.5rem 0 1rem; padding: 0.625rem 0.875rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--text); font-size: 1rem; }

#docs .swagger-ui .opblock-tag-section { margin-bottom: 0.625rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: hidden; }
#docs .swagger-ui .opblock-tag { margin: 0; padding: 0.75rem 1rem; border: 0; color: var(--text); font-size: 1.0625rem; font-weight: 600; }
#docs .swagger-ui .opblock-tag:hover { background: var(--soft); }
#docs .swagger-ui :is(.expand-operation, .opblock-control-arrow) svg { width: 16px; height: 16px; fill: var(--muted); }
#docs .swagger-ui .opblock-tag-section.is-open > .no-margin { padding: 0.25rem 0.75rem 0.75rem; }
#docs .swagger-ui .opblock.opblock { margin: 0 0 0.5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--soft); box-shadow: none; }
#docs .swagger-ui .opblock .opblock-summary.opblock-summary { gap: 0.25rem; padding: 0.375rem; border: 0; }
#docs .swagger-ui .opblock .opblock-summary-method.opblock-summary-method { min-width: 4.5rem; padding: 0.375rem 0; border-radius: 6px; color: #fff; font-size: 0.75rem; text-shadow: none; }
#docs .swagger-ui .opblock-summary :is(.opblock-summary-path, .opblock-summary-description) { color: var(--text); font-size: 0.875rem; }
#docs .swagger-ui .opblock-summary .opblock-summary-path { font-weight: 600; }
#docs .swagger-ui .opblock-summary .opblock-summary-description { color: var(--muted); }
#docs .swagger-ui .opblock .opblock-section-header { background: transparent; border-block: 1px solid var(--line); box-shadow: none; }
#docs .swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent); }
${['get', 'post', 'put', 'patch', 'delete']
  .map(
    (method) =>
      `#docs .swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: var(--${method}); }`,
  )
  .join('\n')}
#docs .swagger-ui :is(.markdown, .renderedMarkdown) code { background: var(--soft); color: var(--accent); }
#docs .swagger-ui .opblock .opblock-body :is(.markdown, .renderedMarkdown) code { background: var(--card); }
#docs .swagger-ui :is(.parameter__name, .parameter__type, table thead tr :is(td, th), .response-col_status, .tab li, label, h4, h5) { color: var(--text); }
#docs .swagger-ui :is(.parameter__in, .parameter__deprecated, .response-col_links) { color: var(--muted); }
#docs .swagger-ui :is(input[type=text], textarea, select) { border: 1px solid var(--edge); background-color: var(--card); color: var(--text); box-shadow: none; }
#docs .swagger-ui textarea { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-weight: 400; }
#docs .swagger-ui .btn { border-color: var(--edge); color: var(--text); box-shadow: none; }
#docs .swagger-ui .btn.execute { border-color: var(--button); background: var(--button); color: #fff; }
#docs .swagger-ui .btn.cancel { border-color: var(--delete); color: var(--delete); }
html.dark-mode #docs .swagger-ui .btn.cancel { border-color: #ffa198; color: #ffa198; }
/* Every error has one shape, explained once by its page; the codes are what a reader looks for here. */
#docs .swagger-ui .response:is([data-code^="4"], [data-code^="5"]) :is(.response-controls, .model-example) { display: none; }
#docs .swagger-ui .response-col_links { display: none; }
#docs .swagger-ui .response-col_status { font-weight: 600; }
#docs .swagger-ui .responses-inner { padding: 1rem 1.25rem; }
#docs .swagger-ui table.responses-table { padding: 0; }
#docs .swagger-ui section.models { border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
#docs .swagger-ui section.models h4 { color: var(--text); }

@media (max-width: 40rem) {
  .docs-header, #docs .swagger-ui .wrapper { padding-inline: 0.875rem; }
  .docs-caller { width: 100%; grid-template-columns: auto 1fr auto; }
  #docs .swagger-ui .opblock-summary-path-description-wrapper { flex-direction: column; align-items: flex-start; gap: 0.125rem; }
  #docs .swagger-ui .opblock .opblock-summary .view-line-link { display: none; }
  #docs .swagger-ui :is(.opblock-summary-path, .opblock-summary-description) { max-width: 100%; overflow-wrap: anywhere; }
  /* Name above value instead of beside it: two columns leave no room for either. */
  #docs .swagger-ui table.parameters :is(tbody, tr, td) { display: block; width: auto; max-width: 100%; }
  #docs .swagger-ui table.parameters thead { display: none; }
  #docs .swagger-ui table.parameters td { padding: 0.25rem 0; }
  #docs .swagger-ui table.parameters :is(input[type=text], select, textarea) { width: 100%; max-width: none; font-size: 1rem; }
  #docs .swagger-ui .responses-inner { padding: 0.75rem; }
  #docs .swagger-ui .response-col_status { width: 3rem; min-width: 3rem; }
  #docs .swagger-ui .live-responses-table thead { display: none; }
  #docs .swagger-ui .live-responses-table :is(tbody, tr, td) { display: block; width: auto; }
  #docs .swagger-ui .opblock-body pre.microlight, #docs .swagger-ui .highlight-code > .microlight { white-space: pre-wrap; }
}
`
