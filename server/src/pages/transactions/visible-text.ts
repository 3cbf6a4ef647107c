// Words that are signed as they stand: nothing is taken away, and what could not be seen is written out.

/** Line ends, controls, characters without a picture and those that turn text around; joiners and emoji variants stay. */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}[\p{Default_Ignorable_Code_Point}--\p{Join_Control}--\p{Variation_Selector}]]/gv

/** No script needs more than three marks on a letter; a pile of them would cover the lines around it. */
const piledMarks = /(\p{M}{3})(\p{M}+)/gu

/** The text as somebody who decides has to see it: “gpj.exe” behind U+202E does not read “exe.jpg”. */
export function visibleText(text: string): string {
  return text
    .replaceAll(unseen, (sign) => (sign === '\n' ? '↵\n' : nameOf(sign)))
    .replaceAll(piledMarks, (_all, first: string, rest: string) => first + [...rest].map(nameOf).join(''))
}

function nameOf(sign: string): string {
  return `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
