// Light or dark: as the system says, until the button says otherwise.

const key = 'tessera-theme';

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // Storage may be forbidden.
  }
}

function store(theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The choice then holds for this visit.
  }
}

export function startTheme(button: HTMLButtonElement, onChange: () => void): void {
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    const theme = stored() ?? (systemIsDark.matches ? 'dark' : 'light');
    document.documentElement.dataset['theme'] = theme;
    button.setAttribute('aria-pressed', String(theme === 'dark'));
    onChange();
  };
  systemIsDark.addEventListener('change', show);
  button.addEventListener('click', () => {
    store(document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark');
    show();
  });
  show();
}
