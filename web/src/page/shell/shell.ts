// The page around the lesson: theme, language, menu, progress, terms. The prose works without it.

import { keepFocus } from './focus';
import { closeSheets, helpSheet } from './help';
import { followLinks } from './links';
import { keepOffline } from './offline';
import { printing } from './print';
import { trackProgress } from './progress';
import { teaching } from './teach';
import { showTerms } from './terms';
import { themeSwitch } from './theme';

themeSwitch();
followLinks();
trackProgress();
showTerms();
helpSheet();
closeSheets();
keepFocus();
keepOffline();
teaching();
printing();
document.documentElement.dataset['shell'] = 'ready'; // recover.js looks for it
