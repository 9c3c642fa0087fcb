### The list of asks.

## Its head. Counts stand side by side, with dots between them.

inbox-looking = recherche ...
inbox-reconnecting = reconnexion
inbox-muted = muet
# $address is where the page is, as 127.0.0.1:4127.
inbox-web = web { $address }
inbox-count-waiting = { $count } en attente
inbox-count-snoozed = { $count ->
    [one] { $count } reportée
   *[other] { $count } reportées
}
inbox-count-late = { $count ->
    [one] { $count } tardive
   *[other] { $count } tardives
}
inbox-count-answered = { $count ->
    [one] { $count } réponse ce jour
   *[other] { $count } réponses ce jour
}
inbox-fit = { $count } sur { $all }

## Its groups

inbox-group-waiting = EN ATTENTE
inbox-group-snoozed = REPORTÉES
inbox-group-late = TARDIVES  l'agent n'attend plus ; la réponse est gardée jusqu'à ce qu'il redemande
inbox-group-kept = GARDÉES  réponse donnée ; l'agent ne l'a pas encore prise
inbox-group-sent = ENVOYÉES  l'agent les reçoit dans un instant
# The same in at most 40 columns.
inbox-group-late-short = TARDIVES  l'agent n'attend plus
inbox-group-kept-short = GARDÉES  pas encore prises
inbox-sorted = tri : délai, puis ancienneté

## Where it is empty

inbox-none = Aucune question ne vous attend.
inbox-none-yet = Une nouvelle apparaît ici d'elle-même.
inbox-none-fit = Rien ne correspond.
inbox-none-fit-yet = { $key } remontre tout.

## What kind of question it is, in at most ten columns.

inbox-kind-confirm = oui/non
inbox-kind-one = 1 choix
inbox-kind-many = 1 multi
inbox-kind-text = 1 texte
inbox-kind-several = { $count } onglets

## What is worth knowing about an ask, in at most eleven columns. $at is a time of day.

inbox-mark-back = dès { $at }
inbox-mark-back-when-asked = si reposée
inbox-mark-answered = répondue
inbox-mark-declined = refusée
inbox-mark-asked-back = questionnée
inbox-mark-expired = expirée
inbox-mark-withdrawn = retirée
# In place of these: a program that an agent had started closed the ask.
inbox-mark-below-agent = sous agent
inbox-mark-due = échue
inbox-mark-due-in = reste { $time }
inbox-mark-dialog = aussi là
inbox-mark-handed = côté client
inbox-mark-draft = brouil. { $given }/{ $asked }
inbox-mark-asked-again = reposée
inbox-mark-preview = aperçu

## The ask under the cursor: who asks, where, and what.

inbox-asked-by = demandé par { $name }
inbox-asked-by-client = demandé par { $name } (nom envoyé par le client)
inbox-asked-from-shell = demandé depuis un shell
inbox-calls-itself = se nomme « { $agent } »
inbox-session = session { $session }
inbox-branch = branche { $branch }
inbox-this-machine = cette machine
inbox-context = Contexte
inbox-question = Question
inbox-asked-again = L'agent a reposé cette question.
inbox-in-dialog = Aussi affichée dans { $client } ; la première réponse compte.
inbox-in-client = Posée maintenant dans { $client } ; une réponse ici est gardée et compte quand elle revient.
inbox-snoozed-until = Vous l'avez reportée, retour { $at } ; { $key } la ramène.
inbox-snoozed-until-asked = Vous l'avez reportée jusqu'à ce que l'agent redemande ; { $key } la ramène.
# Under a text that is longer than the room for it.
inbox-read-all = { $key } tout lire ({ $count } lignes)

## Putting aside, in a dialog. $at is a time of day.

inbox-snooze-title = Reporter ; son agent ne remarque rien
inbox-snooze-minutes = { $count } minutes (jusqu'à { $at })
inbox-snooze-hour = 1 heure (jusqu'à { $at })
# The same where there is no room for the time of day.
inbox-snooze-minutes-short = { $count } minutes
inbox-snooze-hour-short = 1 heure
inbox-snooze-tomorrow = Demain { $at }
inbox-snooze-asked-again = Jusqu'à ce que cet agent redemande
inbox-snooze-says = Vous la trouvez sous REPORTÉES ; { $key } la ramène.
inbox-sessions = Qui est connecté à la page
inbox-sessions-none = Aucun navigateur n’est connecté ; { $key } donne un lien qui en connecte un.
inbox-sessions-here = ici maintenant
inbox-sessions-seen = vu { $at }
inbox-sessions-all = Se déconnecter partout
inbox-sessions-sure = Déconnecter { $name } ? C’est immédiat ; ses réponses restent. { $key } le fait.
inbox-sessions-sure-all = Déconnecter tous les navigateurs de cet ordinateur et tous les appareils ? Leurs réponses restent. { $key } le fait.

## What became of what was just done

inbox-said-snoozed = Reportée, retour { $at } ; { $key } la ramène.
inbox-said-snoozed-until-asked = Reportée jusqu'à ce que l'agent redemande ; { $key } la ramène.
inbox-said-back = Elle attend de nouveau.
inbox-said-more-time = { $time } de plus : échéance { $at }.
inbox-said-typing = { $time } de plus car vous tapez : échéance { $at }.
inbox-said-no-more-time = Pas plus de temps possible : échéance { $at }.
inbox-said-no-deadline = Elle n'a pas de délai : elle attend votre réponse.
inbox-said-nothing-to-take-back = Aucune réponse ne peut être reprise.
inbox-said-taken-back = Reprise : rien n'a été envoyé. Modifiez-la et renvoyez-la.
inbox-said-web-none = Il n’y a pas de page web : http.enabled est false.
inbox-said-web-narrow = Le lien est plus large que ce terminal : `ask-user web` l’affiche.
# $why is a sentence without its full stop, in English.
inbox-said-web-failed = Pas de lien vers la page web : { $why }
inbox-said-muted = Notifications en sourdine ; { $key } les réactive.
inbox-said-unmuted = Les notifications sont réactivées.
inbox-said-failed = Échec : { $why }.
inbox-said-damage = Un stockage a été endommagé ou perdu : ce qu’il contenait n’est pas ici. `ask-user doctor` en dit plus.
inbox-said-settings = config.toml : { $count ->
    [one] 1 réglage inutilisable
   *[other] { $count } réglages inutilisables
} ; `ask-user doctor` en dit plus.

## A card whose ask is filled in elsewhere, too. $surface is where, $at the time of day.

inbox-changed-elsewhere = modifié dans { $surface } { $at }, { $key } le charge
inbox-changed-here = modifié dans { $surface } { $at }, { $key } ramène le vôtre
