/** Light and dark: the system's choice until the reader makes one, which is remembered. */
const dark = matchMedia('(prefers-color-scheme: dark)');

export const theme = () => document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light');

/** @param {() => void} changed called after each change */
export function watchTheme(changed) {
  const button = document.getElementById('theme');
  const show = () => {
    button.textContent = theme() === 'dark' ? 'Light theme' : 'Dark theme';
    changed();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = theme() === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', theme());
    } catch {
      // storage is off: the choice lasts as long as the page
    }
    show();
  });
  dark.addEventListener('change', show);
  button.textContent = theme() === 'dark' ? 'Light theme' : 'Dark theme';
}
