### What the page in a browser says. `node build.mjs` in crates/ask-web/web makes dist of it.

web-brand = ask
web-skip = Aller à la question
web-parts = Parties de la page
web-inbox = Boîte
web-history = Historique
web-stats = Statistiques
web-settings = Réglages
web-waiting = en attente
web-close = Fermer
web-more = Plus
web-failed = Échec : { $why }.
web-problem-devices-off = l’ordinateur n’admet aucun appareil pour le moment
web-problem-no-credential = ce navigateur n'est plus connecté
web-problem-wrong-scope = ce navigateur peut seulement regarder
web-problem-not-found = ce n'est plus là
web-problem-closed = la question a déjà été close
web-problem-draft-changed = cela a été modifié ailleurs entre-temps
web-problem-not-waiting = ce n'est pas possible en l'état actuel
web-problem-still-open = elle attend encore une réponse
web-problem-pairing-unavailable = aucun appareil ne peut venir par là
web-problem-invalid-answer = une réponse ne convient pas à sa question
web-problem-invalid-ask = cette question ne peut pas être posée ainsi
web-problem-invalid-value = une valeur n'est pas acceptée
web-problem-undelivered = son agent ne l'a pas encore appris
web-problem-too-large = c'est trop gros ; raccourcissez-le ou joignez-le comme fichier
web-problem-too-many = trop à la fois, réessayez dans une minute
web-problem-overloaded = trop à la fois, réessayez dans une minute
web-problem-storage-timeout = le disque du dossier de l’agent ne répond pas
web-problem-storage-failed = le hub ne peut pas écrire sur son disque, ask-user doctor en dit plus
web-problem-hub-unavailable = le hub est injoignable
web-problem-not-allowed = aucune réponse n'est acceptée d'ici, vos réglages disent d'où elles viennent
web-problem-other = le hub l'a refusé ({ $type })
web-no-connection = pas de connexion
web-copied = Copié.
web-not-copied = Le navigateur ne permet pas de copier ici.
web-looking = Recherche …
web-hub-away = Le hub est injoignable. La suite vient d'elle-même dès qu'il l'est de nouveau.
web-load-again = Recharger la page
web-link-connecting = connexion
web-link-live = connecté
web-link-offline = hors ligne
web-link-pausing = reconnexion dans { $count } s
web-try-now = maintenant
web-signed-out = Ouvrez cette page depuis votre terminal
web-signed-out-how = Ce navigateur n'est pas connecté. Lancez ceci sur l'ordinateur où travaillent vos agents ; la page s'ouvre :
web-used-link = Ce lien a déjà servi ou date de plus de deux minutes. Si ce n'était pas vous, quelqu'un d'autre a ouvert la page : ses réglages montrent qui est admis. Pour un nouveau lien, lancez :
web-agents-link = Un agent a obtenu ce lien, il ne fait donc entrer personne ici. Dans un terminal à vous, lancez :
web-signed-out-why = Le lien ouvert sert une seule fois et pendant deux minutes, pour que personne d'autre ne réponde à votre place.
web-signed-out-kept = Ce que vous avez tapé ici est gardé dans ce navigateur et revient alors.
web-list-head = Questions
web-filter = Filtre
web-fit = { $count } sur { $all }
web-group-waiting = En attente
web-group-snoozed = Reportées
web-group-late = Tardives
web-group-kept = Gardées
web-group-late-says = L'agent n'attend plus. Une réponse est gardée jusqu'à ce qu'il redemande.
web-group-kept-says = Réponse donnée. L'agent ne l'a pas encore prise.
web-none-waits = Aucune question ne vous attend.
web-none-yet = Une nouvelle apparaît ici d'elle-même.
web-none-fit = Rien ne correspond.
web-answered-today = { $count ->
    [one] Vous avez répondu à { $count } aujourd'hui.
   *[other] Vous avez répondu à { $count } aujourd'hui.
}
web-asked-now = { $who } demande : { $what }
web-an-agent = un agent
web-surface-terminal = terminal
web-surface-web = navigateur
web-below-agent = lancé sous { $agent }
web-surface-cli = ligne de commande
web-surface-plain = mode simple
web-surface-dialog = son dialogue
web-surface-pending = fichier
web-surface-app = la discussion
web-surface-api = programme
web-surface-rpc = programme
web-surface-bridge = application
web-untitled = Une question
web-back-at = retour { $at }
web-back-when-asked = si elle est reposée
web-due-in = reste { $left }
web-due-now = échue
web-due-soon = Il reste moins d'une minute. On peut demander plus de temps.
web-mark-answered = répondue
web-mark-declined = refusée
web-mark-clarify = contre-question
web-mark-expired = expirée
web-mark-dialog = aussi dans son client
web-mark-handed = posée dans son client
web-mark-answered-of = { $given } réponses sur { $all }
web-mark-draft = brouillon
web-mark-asked-again = reposée
web-questions = { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
web-kind-preview = aperçu
web-kind-select = un choix
web-kind-multi-select = choix multiple
web-kind-confirm = oui ou non
web-kind-text = texte
web-undo = Annuler
web-undone = Annulé. Rien n'a été envoyé.
web-asks = { $who } a une question
web-asked = demandée
web-asked-ago = demandée { $time }
web-calls-itself = se nomme « { $agent } »
web-gone = Cette question a disparu.
web-to-inbox = À la boîte
web-context = Contexte
web-code = Code
web-image = { "[" }image : { $text }]
web-table = Tableau
web-question = Question
web-questions-nav = Questions de ce formulaire
web-question-of = Question { $at } sur { $all }
web-optional = facultatif
web-answered = répondue
web-yes = Oui
web-no = Non
web-other = Autre
web-own-words = Votre propre réponse
web-your-answer = Votre réponse
web-type-your-answer = Tapez votre réponse
web-paths-label = Fichiers du dossier de l’agent
web-paths-total = { $count ->
    [one] { $count } fichier trouvé
   *[other] { $count } fichiers trouvés
}
web-paths-total-of-first = { $count } des { $files } premiers fichiers
web-paths-none = Aucun fichier trouvé.
web-paths-none-of-first = Aucun fichier trouvé parmi les { $files } premiers.
web-paths-unreadable = Le dossier de l’agent ne peut pas être lu sur cet ordinateur.
web-earlier = Réponses précédentes
web-earlier-says = Vos propres mots dans des réponses précédentes, d'abord celles de ce projet.
web-earlier-none = Il n'y a pas encore de réponses de vous.
web-earlier-taken = Repris.
web-kept-not-chosen = Gardé, mais hors de votre réponse.
web-none-of-these = Aucun de ces choix
web-recommended = Recommandé
web-add-note = Ajouter une note
web-note-label = Note pour cette réponse
web-note-is = Note : { $note }
web-see-preview = Voir l'aperçu
web-preview-of = Aperçu : { $name }
web-full-size = En grand
web-changed-elsewhere = Modifié ailleurs ({ $by }), { $at }.
web-load-theirs = Charger
web-load-mine = Ramener le mien
web-stands-waits = vous attend
web-stands-left = l'agent n'attend plus ; votre réponse sera gardée
web-stands-expired = le délai est passé ; votre réponse sera gardée jusqu'à ce qu'il redemande
web-asked-again = reposée
web-in-dialog = aussi affichée dans son client ; la première réponse compte
web-in-client = posée maintenant dans son client ; une réponse ici compte quand elle revient
web-earlier-answer = Vous avez répondu à ceci { $time } :
web-fill-in = Remplir avec cette réponse
web-filled-in-below = Rempli par un programme lancé sous { $agent }, pas par vous : vérifiez avant d'envoyer.
web-filled-in-by = Rempli non par vous, mais par un programme lancé sous { $agent }.
web-attach-file = Joindre un fichier
web-attach-hint = ou collez ou déposez une image
web-attached = { $name } est joint.
web-remove = Retirer
web-too-many-files = Une réponse peut porter { $count } fichiers.
web-too-large = { $name } dépasse 10 Mo.
web-empty-file = { $name } est vide : rien à joindre.
web-not-attached = { $name } n'a pas été joint : { $why }.
web-back = Retour
web-next = Suivant
web-review = Vérifier
web-review-head = Vérifiez vos réponses
web-send = Envoyer
web-sending = Envoi …
web-send-answers = { $count ->
    [one] Envoyer { $count } réponse
   *[other] Envoyer { $count } réponses
}
web-send-anyway = { $count ->
    [one] Envoyer quand même { $count } réponse
   *[other] Envoyer quand même { $count } réponses
}
web-keep-late = Garder comme réponse tardive
web-send-when-connected = Envoi dès la connexion
web-needs-answer = Cette question attend une réponse.
web-does-not-fit = Cette réponse ne convient pas à la question.
web-needs-answer-or-decline = Choisissez ou tapez une réponse, posez une contre-question ou refusez.
web-gaps = { $count ->
    [one] { $count } question requise est sans réponse.
   *[other] { $count } questions requises sont sans réponse.
}
web-change = Modifier
web-go-to-question = Répondre à la question
web-not-answered = Sans réponse
web-not-answered-optional = Sans réponse (facultatif)
web-note-for-all = Note pour toutes les réponses
web-saved-at = brouillon enregistré { $at }
web-saved-here = brouillon gardé dans ce navigateur
web-not-saved = Votre brouillon n'a pas été enregistré : { $why }.
web-not-sent = Non envoyé : { $why }. Votre brouillon est gardé.
web-queued = Pas de connexion. Votre réponse partira dès son retour.
web-queued-says = Votre réponse attend la connexion. Elle part dès que le hub est de retour.
web-queued-count = { $count ->
    [one] { $count } réponse attend
   *[other] { $count } réponses attendent
}
web-queued-sent = Connexion rétablie. Votre réponse a été envoyée.
web-queued-closed = Cette question a été close entre-temps. Rien n'a été envoyé.
web-queued-unknown = Ce hub ne connaît pas la question. Rien n'a été envoyé. Votre réponse est gardée un mois dans ce navigateur.
web-queued-changed = Vous avez modifié cette réponse ailleurs. Rien n'a été envoyé. Relisez-la et envoyez-la de nouveau.
web-queued-elsewhere = Une réponse d'un autre onglet de ce navigateur attend la connexion. Reprenez-la pour envoyer celle-ci.
web-take-back = Reprendre
web-sent = Envoyé.
web-sent-answered = Envoyé à { $who }
web-sent-declined = Vous avez refusé
web-sent-clarify = Contre-question envoyée à { $who }
web-sent-expired = Gardé pour { $who }
web-sent-withdrawn = { $who } a retiré la question
web-closed-answered = Réponse donnée ({ $by }), { $at }
web-closed-declined = Refusée ({ $by }), { $at }
web-closed-clarify = Contre-question ({ $by }), { $at }
web-closed-expired = Expirée, { $at }
web-closed-withdrawn = Retirée par l'agent, { $at }
web-nothing-sent = Rien de votre texte n'a été envoyé.
web-changed-since = Ce que vous avez modifié après l'envoi n'a pas été envoyé.
web-what-was-answered = Ce qui a été répondu
web-your-draft = Votre brouillon
web-copy-draft = Copier mon brouillon
web-next-ask = Suivante : { $what }
web-told = L'agent l'a reçue.
web-not-told = Elle est gardée jusqu'à ce que l'agent la prenne.
web-ask-back = Contre-question
web-ask-back-says = { $who } reçoit votre question à la place d'une réponse, et peut redemander.
web-ask-back-label = Que voulez-vous savoir ?
web-ask-back-missing = Tapez d'abord votre question.
web-not-later = Rien ne part tout seul plus tard : ce que vous avez tapé reste ici.
web-ask-back-draft = Ce que vous avez rempli n'est pas envoyé.
web-ask-back-send = Envoyer ma question
web-asked-back = Votre question est partie chez { $who }.
web-decline = Refuser
web-decline-says = { $who } apprend que vous ne répondez pas à ceci.
web-decline-label = Pourquoi ? { $who } le lit. Peut rester vide.
web-decline-draft = Ce que vous avez rempli n'est pas envoyé.
web-decline-send = Refuser
web-declined = Refusée. { $who } en est informé.
web-keep-answering = Continuer à répondre
web-snooze = Reporter
web-snooze-says = Reportez la question. Son agent ne remarque rien.
web-snooze-minutes = { $count } minutes (jusqu'à { $at })
web-snooze-tomorrow = Demain à 9 h
web-snooze-asked-again = Jusqu'à ce que cet agent redemande
web-snoozed = Reportée. Vous la trouvez sous Reportées.
web-snoozed-until = Reportée jusqu'à { $at }. Vous la trouvez sous Reportées.
web-wake = Ramener
web-back-again = Elle attend de nouveau.
web-more-time = Plus de temps
web-more-time-done = Cinq minutes de plus : échéance { $at }.
web-keys = Touches
web-keys-says = Elles agissent quand aucun texte n'est tapé ; là où une question attend du texte, lettres et signes sont du texte. Les réglages désactivent les touches seules.
web-name-ctrl-enter = Ctrl+Entrée
web-name-esc = Échap
web-key-digits = marquer un choix, ou non
web-key-zero = autre : votre propre réponse
web-key-arrows = question précédente ou suivante
web-key-n = ajouter une note
web-key-r = prendre ce que l'agent recommande ; R : partout, puis vérification
web-none-recommended = L'agent ne recommande rien ici.
web-key-c = contre-question
web-key-slash = filtrer la liste
web-key-brackets = formulaire précédent ou suivant
web-key-at = là où tu écris : nommer un fichier du dossier de l’agent
web-key-send = continuer ; à la fin, envoyer
web-key-esc = quitter le champ, ou vers la liste ; rien n'est perdu
web-key-help = cette liste
web-search = Chercher
web-filters = Filtres
web-clear-filters = Tout remontrer
web-remove-filter = Retirer le filtre { $what }
web-found-count = { $count ->
    [one] { $count } trouvée
   *[other] { $count } trouvées
}
web-all = Tous
web-always = Tout
web-between = Entre deux jours
web-last-days = { $count ->
    [one] Dernier jour
   *[other] { $count } derniers jours
}
web-facet-agent = Agent
web-facet-project = Projet
web-facet-branch = Branche
web-facet-outcome = État
web-facet-recommended = Recommandé
web-recommended-taken = choisi
web-recommended-not-taken = non choisi
web-facet-when = Période
web-facet-from = Du
web-facet-until = Au
web-facet-day = Jour
web-facet-hour = Heure
web-facet-surface = Interface
web-end-answered = avec réponse
web-end-late = réponse tardive
web-end-declined = refusée
web-end-ask-back = contre-question
web-end-expired = expirée
web-end-withdrawn = retirée
web-end-undelivered = pas encore prise
web-export = Exporter ce qui est trouvé :
web-nothing-over = Rien n'est encore terminé.
web-nothing-found = Rien trouvé.
web-show-more = Montrer plus
web-show-all = Tout afficher
web-answer-it = Répondre
web-choices = { $count ->
    [one] { $count } choix
   *[other] { $count } choix
}
web-copy-markdown = Copier en Markdown
web-copy-reply = Copier ceci
web-what-agent-got = Ce que l'agent a reçu
web-use-again = Réutiliser ces mots
web-used-again = Vos réponses précédentes commencent maintenant par eux.
web-delete = Supprimer
web-delete-says = La question et ses réponses sont oubliées sur cette machine. C'est définitif.
web-delete-unheard = Son agent ne l'a pas encore appris, et ne l'apprendra jamais.
web-delete-it = Supprimer
web-keep-it = Garder
web-deleted = Supprimée.
web-delete-found = Supprimer ce qui est trouvé
web-delete-found-says = { $count ->
    [one] { $count } question et ses réponses sont oubliées sur cette machine. C'est définitif.
   *[other] { $count } questions et leurs réponses sont oubliées sur cette machine. C'est définitif.
}
web-delete-found-undelivered = { $count ->
    [one] { $count } autre reste : aucun agent n'a reçu sa réponse. Elle ne se supprime que seule.
   *[other] { $count } autres restent : aucun agent n'a reçu leurs réponses. Elles ne se suppriment qu'une à une.
}
web-delete-found-none = Il n'y a rien à supprimer.
web-deleted-count = { $count ->
    [one] { $count } supprimée.
   *[other] { $count } supprimées.
}
web-timeline = Ce qui s'est passé, et quand
web-shown-on = affichée ({ $by })
web-stats-asks = Questions
web-stats-answered = Avec réponse
web-stats-median = Temps de réponse médian
web-stats-p90 = Neuf sur dix en
web-stats-waiting = Encore ouvertes
web-stats-longest = Plus longue attente du jour
web-stats-days = Questions par jour
web-stats-outcomes = Comment elles ont fini
web-stats-surfaces = Où vous avez répondu
web-stats-hours = Temps de réponse par heure du jour à l'ordinateur
web-stats-agents = Vos propres mots, par agent
web-stats-agents-says = La part de vos propres mots là où des choix étaient offerts. Une part élevée veut dire de mauvais choix.
web-stats-another = Autre choix
web-stats-own = Propres mots
web-stats-notes = Notes
web-stats-ask-backs = Contre-questions
web-as-table = En tableau
web-notices = Notifications
web-notify-me = Me prévenir
web-notices-default = Le navigateur peut vous prévenir quand une question arrive et que cette page est à l'arrière-plan.
web-notices-granted = Vous êtes prévenu quand une question arrive et que cette page est à l'arrière-plan.
web-notices-denied = Les notifications sont bloquées pour cette page. Permettez-les dans les réglages du navigateur pour cette adresse.
web-notices-none = Ce navigateur ou cette connexion n'a pas de notifications. Le programme lui-même peut vous prévenir sur le bureau ou par ntfy.
web-mute = Mettre en sourdine toutes les notifications d'ask-user
web-mute-says = Bureau, téléphone et sons, sur chaque interface, jusqu'à ce que vous les réactiviez.
web-theme = Apparence
web-theme-auto = Comme le système
web-theme-light = Claire
web-theme-dark = Sombre
web-kept = Historique
web-kept-days = { $count ->
    [one] Une question est supprimée { $count } jour après sa fin.
   *[other] Une question est supprimée { $count } jours après sa fin.
}
web-kept-undelivered = Une réponse qu'aucun agent n'a prise reste deux fois plus longtemps.
web-kept-for-ever = Les questions restent jusqu'à ce que vous les supprimiez.
web-kept-how = C'est history.keep_days dans { $file } qui le dit.
web-language = Langue
web-language-browser = Celle que demande le navigateur. Le réglage language.use dans { $file } en choisit une pour toutes les interfaces.
web-language-set = Choisie par le réglage language.use dans { $file }.
web-shortcuts = Raccourcis à une touche
web-shortcuts-says = 1–9, 0, n, c et d'autres, quand aucun texte n'est tapé. Là où une question attend du texte, elles sont du texte, activées ou non.
web-session = Ce navigateur
web-session-says = Il peut répondre à vos agents jusqu'à ce que vous le déconnectiez.
web-sign-out = Se déconnecter
web-sessions = Navigateurs de cet ordinateur
web-session-this = ce navigateur
web-session-end-says = { $name } est déconnecté immédiatement. Ses réponses restent. `ask-user web` le reconnecte.
web-session-ended = { $name } est déconnecté.
web-sign-out-all = Se déconnecter partout
web-sign-out-all-says = Tous les navigateurs de cet ordinateur, celui-ci compris, et tous les appareils sont déconnectés immédiatement. Leurs réponses restent.
web-pair-chip-off = Téléphone : non
web-pair-chip-on = Téléphone : oui
web-pair-chip-count = Téléphone : { $count }
web-pair-plain = non chiffré
web-pair-plain-why = Quiconque est sur le même réseau peut lire et agir à votre place.
web-pair-plain-lost = Les notifications, l'installation et la copie par un bouton demandent une connexion chiffrée. Deux moyens :
web-pair-offer-https = HTTPS, avec un certificat à vous ou un proxy qui en a un : `docs/how-to/phones.md` dit comment.
web-pair-offer-tunnel = Un tunnel : `tailscale serve { $port }` avec son adresse dans `http.public_url`, ou depuis un autre ordinateur `ssh -L { $port }:127.0.0.1:{ $port } HOST`.
web-pair-title = Admettre cet appareil
web-pair-where = Sur l'ordinateur, ouvrez les réglages de la page ou lancez « ask-user pair ». Scannez l'image affichée, ou tapez ici ses six chiffres.
web-pair-code = Code
web-pair-six-digits = Le code a six chiffres.
web-pair-name = Nom de cet appareil
web-pair-some-device = Un appareil
web-pair-ask = Demander à entrer
web-pair-asking = Demande …
web-pair-wrong-code = Ce n'est pas le code que l'ordinateur affiche maintenant, ou il a plus de trois minutes.
web-pair-wrong-left = { $count ->
    [one] Ce n'est pas le code que l'ordinateur affiche maintenant. Il reste { $count } essai ; ensuite il en affichera un autre.
   *[other] Ce n'est pas le code que l'ordinateur affiche maintenant. Il reste { $count } essais ; ensuite il en affichera un autre.
}
web-pair-wrong-another = C'était le dernier essai pour ce code. L'ordinateur en affiche maintenant un autre : saisissez celui-là.
web-pair-wrong-link-only = C'était le dernier essai : cette invitation n'accepte plus de code. Scannez l'image sur l'ordinateur ou créez-y un nouveau code.
web-pair-wrong-link = Ce lien a déjà servi ou date de plus de trois minutes. Faites un nouveau code sur l'ordinateur, et scannez-le ou tapez-le.
web-pair-too-many = Trop d'essais. Attendez une minute, puis réessayez.
web-pair-shut-out = L’ordinateur n’admet aucun appareil pour le moment. Activez-le là-bas : avec « ask-user pair » ou dans les réglages de la page. Les appareils déjà admis n’ont pas besoin d’un nouveau code.
web-pair-unreachable = L'ordinateur est injoignable. Cet appareil est-il sur le même réseau, et les téléphones y sont-ils encore admis ?
web-pair-confirm = Confirmez { $number } sur l'ordinateur
web-pair-confirm-says = L'ordinateur demande maintenant si { $name } peut entrer. Acceptez là-bas s'il affiche aussi { $number }.
web-pair-left = reste { $left }
web-pair-offline = Pas de connexion à l'ordinateur. La suite vient d'elle-même à son retour.
web-pair-allowed = Vous êtes admis
web-pair-refused = L'ordinateur a dit non
web-pair-refused-says = Rien de vous n'a été montré à cet appareil. Si c'était une erreur, redemandez avec un nouveau code.
web-pair-over = C'était trop long
web-pair-over-says = Personne n'a confirmé le nombre à temps. Redemandez avec un nouveau code.
web-pair-anew = L’ordinateur a recommencé
web-pair-anew-says = ask-user a été relancé sur l’ordinateur pendant que cet appareil attendait ; plus personne ne peut confirmer ce nombre. Redemandez avec un nouveau code.
web-pair-again = Prendre un nouveau code
web-pair-not-in = Cet appareil n'est pas admis
web-pair-ended = Cet appareil n'est plus admis
web-pair-ended-says = Son temps est passé, ou quelqu'un à l'ordinateur y a mis fin. Ce que vous avez tapé est gardé dans ce navigateur et revient dès qu'il est admis.
web-pair-wants = { $name } à { $address } veut répondre à vos questions.
web-pair-wants-see = { $name } à { $address } veut voir vos questions.
web-pair-shows = Affiche-t-il { $number } ?
web-pair-shows-this = Affiche-t-il ce nombre ?
web-pair-allow = Admettre
web-pair-allow-see = Regarder seulement
web-pair-refuse = Refuser
web-pair-done-answer = { $name } peut maintenant répondre à vos questions.
web-pair-done-see = { $name } peut maintenant voir vos questions.
web-pair-done-refused = { $name } a été refusé.
web-pair-head = Laisser un téléphone répondre
web-pair-says = Un téléphone ou un autre ordinateur de votre réseau montre aussi cette page. Il entre avec un code, et seulement après que vous avez confirmé un nombre ici.
web-pair-how = Pour combien de temps, et avec quels droits
web-pair-address = Adresse de cet ordinateur
web-pair-address-any = Celle qui mène dehors
web-pair-length = Pour combien de temps ?
web-pair-hours = { $count ->
    [one] { $count } heure
   *[other] { $count } heures
}
web-pair-until-off = Jusqu'à ce que j'arrête
web-pair-scope = Que peut-il faire ?
web-pair-scope-answer = répondre aux questions
web-pair-scope-see = seulement les voir
web-pair-may-answer = peut répondre
web-pair-may-see = regarde seulement
web-pair-will-be-plain = Cette connexion n'est pas chiffrée.
web-pair-start = Admettre un téléphone
web-pair-new = Nouveau code
web-pair-stop = Ne plus admettre de téléphones
web-pair-on = Les téléphones sont admis jusqu'à ce que vous arrêtiez, à
web-pair-on-until = Les téléphones sont admis jusqu'à { $at }, à
web-pair-used = Chaque code admet un appareil, une fois.
web-pair-too-late = Le code est trop ancien. Faites-en un nouveau.
web-pair-qr = Code QR du lien vers { $at }
web-pair-no-code = Trop de codes faux ont été tapés. Scannez l'image, ou faites un nouveau code.
web-pair-scan = Scannez ceci avec l'appareil photo du téléphone.
web-pair-copy = Copier le lien
web-pair-or-code = Ou ouvrez-y { $at } et tapez :
web-pair-devices = Appareils
web-pair-no-devices = Aucun appareil n'est admis.
web-pair-here = ici maintenant
web-pair-last-seen = vu { $time }
web-pair-stranded = ne peut pas venir : admis par une autre voie
web-pair-never-seen = pas encore venu
web-pair-until = jusqu'à { $at }
web-pair-until-revoked = jusqu'à révocation
web-pair-revoke = Révoquer
web-pair-revoke-says = { $name } est coupé aussitôt. Ce qu'il a répondu reste. Pour revenir, il lui faut un nouveau code et votre oui.
web-pair-revoked = { $name } n'est plus admis.
web-pair-keep = Garder
web-pair-this = Cet appareil
web-pair-this-answer = « { $name } » peut répondre à vos agents.
web-pair-this-see = « { $name } » peut voir ce que demandent vos agents, sans répondre.
web-pair-this-ends = L'ordinateur peut y mettre fin à tout moment.
web-pair-only-sees = Cet appareil peut seulement voir les questions. Répondez à l'ordinateur, ou admettez-y cet appareil à nouveau pour qu'il puisse répondre.
web-chat-waiting = En attente du client …
web-chat-nothing = Il n'y a rien à répondre dans cette carte. Ce qui est ouvert se trouve dans `ask-user inbox`.
web-chat-silent = Le client ne transmet rien pour l'instant. `ask-user inbox` a aussi la question ; la première réponse compte.
web-chat-cancelled = L'appel de l'agent a été arrêté. Vous pouvez encore répondre : la réponse est gardée jusqu'à ce qu'il demande de nouveau.
web-chat-passed = L'agent l'a reçue comme votre message.
web-chat-not-passed = Votre réponse est gardée, mais le client ne l'a pas transmise. Dites à l'agent que vous avez répondu.
web-chat-unsaved = brouillon pas encore enregistré
web-chat-about = À propos de cette carte
web-chat-open = Ouvrir dans le navigateur
