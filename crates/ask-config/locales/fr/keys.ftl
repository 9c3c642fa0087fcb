### What keys do, for the footer and the help page, and how keys are called.
### What depends on the ask comes as an argument:
### $go is "send" where Enter sends, "keep" where nobody waits for it any more, else "on";
### $esc is "cancel" where Esc declines, "discard" where it asks what to do with what was typed, "all" where it ends a filter, else "leave";
### $files is "none" where no file fits what was typed after @, else "some";
### $muted is "yes" while notifications are muted, else "no".

## Keys

keys-enter = Entrée
keys-esc = Échap
keys-sessions = qui est connecté à la page
keys-sign-out = déconnecter
keys-tab = Tab
keys-space = Espace
keys-backspace = Retour arr.
keys-delete = Suppr
keys-insert = Inser
keys-home = Début
keys-end = Fin
keys-page-up = PgPréc
keys-page-down = PgSuiv
keys-use-again = réutiliser ces mots
keys-with-ctrl = Ctrl+{ $key }
keys-with-alt = Alt+{ $key }
keys-with-shift = Maj+{ $key }
# Two keys, one after the other; it stands where the name of a key stands.
keys-after = { $first } puis { $key }
keys-any-other = toute autre touche

## What they do. Most stand behind their key in the footer, so they begin small and are short.

keys-all-recommended = tout le recommandé, puis vérification
keys-ask-back = questionner
keys-at-once = direct
keys-attach = joindre
keys-attach-copied = joindre l'image ou le fichier copié
keys-attach-not = retour ; un chemin collé devient du texte
keys-attach-path = joindre un fichier par son chemin
keys-back = retour
keys-back-to-text = retour au texte
keys-back-unsent = retour, rien n'est envoyé
keys-caret = déplacer le curseur
keys-choose = choisir
keys-clear-filter = tout voir
keys-close-paths = fermer, tel que tapé
keys-close-paths-short = fermer
keys-confirm-go = { $go ->
    [send] confirmer et envoyer
    [keep] confirmer et garder comme réponse tardive
   *[on] confirmer et continuer
}
keys-continue = continuer
keys-copy-draft = copier
keys-copy-question = copier la question en Markdown
keys-decline = refuser
keys-decline-reason = refuser avec un motif
keys-detach = retirer le dernier fichier joint
keys-discard = abandonner et annuler
keys-done = fini
keys-earlier-answer = remplir avec votre réponse précédente
keys-editor = ouvrir votre éditeur
keys-editor-short = éditeur
keys-erase = effacer en arrière
keys-erase-line-end = effacer jusqu'à la fin de la ligne
keys-erase-next = effacer en avant
keys-erase-next-word = effacer le mot suivant
keys-erase-word = effacer le mot
keys-escape = { $esc ->
    [cancel] refuser
    [discard] abandonner ...
    [all] tout remontrer
   *[leave] quitter (brouillon gardé)
}
keys-escape-short = { $esc ->
    [cancel] refuser
    [discard] abandonner ...
    [all] tout
   *[leave] sortir
}
keys-filter-asks = filtrer
keys-export = copier en texte
keys-field-rows = ligne du dessus, du dessous ; de la première, retour à la liste
keys-filter = filtrer
keys-first-last-ask = première, dernière
keys-first-last-button = première ligne, dernier bouton
keys-first-last-row = première, dernière ligne
keys-go = { $go ->
    [send] envoyer
    [keep] garder comme réponse tardive
   *[on] continuer
}
keys-go-short = { $go ->
    [send] envoyer
    [keep] garder
   *[on] suite
}
keys-go-to-question = aller à cette question
keys-go-to-question-short = aller à
keys-hand-back = rendre au dialogue de son client, si elle en vient
keys-help = aide
keys-help-short = aide
keys-insert-path = { $files ->
    [none] fermer
   *[some] insérer le fichier
}
keys-insert-path-short = { $files ->
    [none] fermer
   *[some] insérer
}
keys-interrupt-card = arrêter ici ; deux fois quitte (les questions attendent)
keys-interrupt-dialog = quitter (les questions attendent)
keys-interrupt-field = quitter le champ
keys-interrupt-notice = deux fois quitte (les questions attendent)
keys-keep-answering = continuer à répondre
keys-keep-answering-short = rester
keys-leave-waiting = laisser en attente
keys-line-ends = début, fin de la ligne
keys-load-other = charger ce qui a été tapé ailleurs, ou le vôtre à nouveau
keys-load-other-short = charger
keys-mark = marquer, sans continuer
keys-marked-button = le bouton marqué
keys-more-time = plus de temps
keys-move = déplacer
keys-mute = { $muted ->
    [yes] rétablir les notifs
   *[no] couper les notifs
}
keys-new-line = à la ligne
keys-next-group = groupe suivant
keys-no = non
keys-note = note
keys-note-for-all = note globale
keys-open = ouvrir
keys-or-letter = ou la lettre choisit
keys-other = autre
keys-other-asks = autre question
keys-page = page
keys-preview = aperçu, plein écran
keys-preview-short = aperçu
keys-quick-confirm = oui, non, autre
keys-quick-select = { $digit ->
    [sends] envoyer aussitôt
   *[marks] choix direct
}
keys-quick-select-short = { $digit ->
    [sends] envoyer
   *[marks] choisir
}
keys-quick-toggle = cocher direct
keys-quit = quitter (les questions attendent)
keys-quit-short = quitter
keys-read-all = tout lire
keys-read-all-short = lire
keys-recall = réponses précédentes, et retour
keys-recommended = recommandé
keys-redraw = redessiner l'écran
keys-scroll = défiler
keys-select = choisir
keys-send = envoyer
keys-send-decline = refuser et prévenir l'agent
keys-send-question = envoyer votre question
keys-show-all = tout remontrer
keys-show-all-short = tout
keys-show-draft = voir mon brouillon
keys-show-draft-short = brouillon
keys-snooze = reporter
keys-stop-typing = { $esc ->
    [cancel] refuser
   *[leave] arrêter de taper (texte gardé)
}
keys-stop-typing-short = { $esc ->
    [cancel] refuser
   *[leave] fini
}
keys-suspend = suspendre
keys-switch-tab = autre onglet
keys-switch-tab-short = suivant
keys-take-back = reprendre la réponse
keys-to-filtered-asks = à la liste
keys-to-filtered = à la liste, filtrée
keys-to-list = liste
keys-toggle = cocher
keys-top-end = début, fin
keys-type = taper
keys-types = s'écrit
keys-undo = annuler, rétablir
keys-web = un lien vers la page web
keys-words = mot précédent, mot suivant
keys-yes = oui
keys-jump = commence votre propre réponse

## The help page

keys-title = Touches ici
# Behind the title: which rows of all are seen.
keys-title-place = { $first }-{ $last } sur { $all }
keys-group-moving = Se déplacer
keys-group-answering = Répondre
keys-group-typing = Écrire
keys-group-replying = Au lieu de répondre
keys-group-looking = Voir plus
keys-group-leaving = Quitter

## History

keys-history = historique
keys-search = chercher
keys-filters = filtres
keys-copy-markdown = copier en Markdown
keys-write-json = exporter JSON
keys-stats = statistiques
keys-to-found = à la liste
keys-change = modifier
