// Fields, buttons and the messages beside them. Everything that is pressed is at least 44 px high.

export const forms = `
.gh-form { display: grid; gap: 1.25rem; margin-block-start: 1.75rem; }
.gh-field { display: grid; gap: 0.375rem; }
.gh-label { font-size: 0.9375rem; font-weight: 550; }
.gh-input {
  inline-size: 100%;
  min-block-size: 3rem;
  padding: 0.625rem 0.875rem;
  background: var(--gh-surface);
  border: 1px solid var(--gh-input-border);
  border-radius: var(--gh-radius);
  color: var(--gh-text);
  font: inherit;
  transition: border-color 120ms, box-shadow 120ms;
}
.gh-input:hover { border-color: var(--gh-muted); }
.gh-input:focus-visible {
  outline: 2px solid var(--gh-focus);
  outline-offset: 0;
  border-color: var(--gh-focus);
  border-radius: var(--gh-radius);
  box-shadow: 0 0 0 5px color-mix(in srgb, var(--gh-focus) 18%, transparent);
}
.gh-input[aria-invalid="true"] { border-color: var(--gh-danger); }
.gh-input[aria-invalid="true"]:focus-visible {
  outline-color: var(--gh-danger);
  box-shadow: 0 0 0 5px color-mix(in srgb, var(--gh-danger) 18%, transparent);
}
.gh-field-error, .gh-alert { display: flex; gap: 0.5rem; color: var(--gh-danger); font-size: 0.9375rem; font-weight: 500; }
.gh-field-error::before, .gh-alert::before {
  content: "!";
  content: "!" / "";
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 1.125rem;
  block-size: 1.125rem;
  margin-block-start: 0.15rem;
  border-radius: 50%;
  background: var(--gh-danger);
  color: var(--gh-surface);
  font-size: 0.75rem;
  font-weight: 700;
  line-height: 1;
}
.gh-alert {
  margin-block-start: 1.5rem;
  padding: 0.875rem 1rem;
  background: var(--gh-danger-soft);
  border: 1px solid color-mix(in srgb, var(--gh-danger) 35%, transparent);
  border-radius: var(--gh-radius);
}

.gh-row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; margin-block: -0.5rem; font-size: 0.9375rem; }
.gh-push { margin-inline-start: auto; }
.gh-check { display: inline-flex; align-items: center; gap: 0.625rem; min-block-size: 2.75rem; cursor: pointer; }
.gh-check input {
  flex: none;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  margin: 0;
  appearance: none;
  display: grid;
  place-items: center;
  background: var(--gh-surface);
  border: 1px solid var(--gh-input-border);
  border-radius: calc(var(--gh-radius) * 0.5);
  cursor: inherit;
}
.gh-check input:checked { background: var(--gh-primary); border-color: var(--gh-primary-edge); }
.gh-check input:checked::before {
  content: "";
  inline-size: 0.375rem;
  block-size: 0.6875rem;
  margin-block-end: 0.125rem;
  border: solid var(--gh-on-primary);
  border-width: 0 2px 2px 0;
  rotate: 45deg;
}

.gh-button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-block-size: 3rem;
  padding: 0.625rem 1.25rem;
  background: var(--gh-primary);
  border: 1px solid var(--gh-primary-edge);
  border-radius: var(--gh-radius);
  color: var(--gh-on-primary);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
  transition: background-color 120ms, border-color 120ms;
}
.gh-button:hover { background: var(--gh-primary-hover); }
.gh-button:focus-visible { border-radius: var(--gh-radius); }
.gh-button-quiet { min-block-size: 2.75rem; background: transparent; border-color: var(--gh-input-border); color: var(--gh-text); }
.gh-button-quiet:hover { background: var(--gh-surface-soft); border-color: var(--gh-muted); }
.gh-aside { margin-block-start: 1rem; color: var(--gh-muted); text-align: center; }

.gh-account {
  margin-block-start: 1.25rem;
  padding: 0.625rem 0.875rem;
  background: var(--gh-surface-soft);
  border-radius: var(--gh-radius);
  font-weight: 500;
}
.gh-rules { color: var(--gh-muted); font-size: 0.9375rem; }
.gh-rules-title { color: var(--gh-text); font-weight: 550; }
.gh-rules ul { display: grid; gap: 0.25rem; margin-block-start: 0.375rem; padding-inline-start: 1.25rem; list-style: disc; }
.gh-rules li::marker { color: var(--gh-accent); }
`
