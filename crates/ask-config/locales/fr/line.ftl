### The line mode. Prompts end with a colon; a space is put behind them.

line-renumbered = La liste vient de changer. Tapez le numéro encore une fois.
line-no-longer-asked = Ce n'est plus demandé.
line-none-waits = Aucune question ne vous attend.
line-none-yet = Aucune question ne vous attend. Une nouvelle est annoncée ici.
line-waiting = { $count ->
    [one] { $count } question attend :
   *[other] { $count } questions attendent :
}
line-put-aside = { $count ->
    [one] { $count } question est reportée :
   *[other] { $count } questions sont reportées :
}
line-late = { $count ->
    [one] { $count } question est en retard ; son agent n'attend plus, votre réponse est gardée jusqu'à ce qu'il redemande :
   *[other] { $count } questions sont en retard ; leurs agents n'attendent plus, vos réponses sont gardées jusqu'à ce qu'ils redemandent :
}
line-kept = { $count ->
    [one] { $count } réponse est gardée jusqu'à ce que son agent la prenne :
   *[other] { $count } réponses sont gardées jusqu'à ce que leurs agents les prennent :
}
line-sent = { $count ->
    [one] { $count } réponse est en cours d'envoi :
   *[other] { $count } réponses sont en cours d'envoi :
}
line-fit = Seulement ce qui contient « { $text } » ; / seule montre tout à nouveau.
line-none-fit = Aucune question ne contient « { $text } » ; / seule montre tout à nouveau.
line-row = { $number }. { $ask }
line-ask = { $who }, { $place }, { $ago } : { $title }
line-ask-anywhere = { $who }, { $ago } : { $title }
line-ask-aside = { $ask } (reportée : { $time })
line-ask-aside-asked = { $ask } (reportée jusqu'à ce qu'elle soit reposée)
line-ask-due = { $ask } (échéance { $in })
line-new = Nouvelle : { $ask }
line-back = Attend de nouveau : { $ask }
line-which = Numéro de la question à ouvrir, ? aide, q quitter :
line-which-none = ? aide, q quitter :
line-unclear-list = { $count ->
    [0] Pas compris. Aucune question n'est dans la liste ; ? donne l'aide, q quitte.
    [one] Pas compris. Tapez 1 pour ouvrir la question ; ? donne l'aide, q quitte.
   *[other] Pas compris. Tapez un numéro de 1 à { $count } pour ouvrir une question ; ? donne l'aide, q quitte.
}
line-aside-which = Tapez s, le numéro d'une question et la durée ou l'heure : s 2 15m.
line-aside-none = Son agent n'attend pas : il n'y a rien à reporter.
line-past-row = { $number }. { $ask } ({ $how })
line-prompt-past = Numéro à entendre, m la suite, h et des mots pour chercher, Entrée pour revenir à la liste :
line-unclear-past = Pas compris. Tapez un numéro de 1 à { $count }, m, h et des mots, ou rien pour revenir.
line-seen = Entrée pour continuer :
line-go-on = Tapez next puis Entrée pour continuer, ou q pour quitter :
line-not-taken = Non envoyé : { $text }
line-words-yes = y yes o oui
line-words-no = n no non

line-now = à l'instant
line-minutes-ago = { $count ->
    [one] il y a { $count } minute
   *[other] il y a { $count } minutes
}
line-hours-ago = { $count ->
    [one] il y a { $count } heure
   *[other] il y a { $count } heures
}
line-days-ago = { $count ->
    [one] il y a { $count } jour
   *[other] il y a { $count } jours
}
line-at-today = à { $time }
line-at-tomorrow = demain à { $time }
line-at-day = le { $date } à { $time }
line-in-seconds = { $count ->
    [one] dans { $count } seconde
   *[other] dans { $count } secondes
}
line-in-minutes = { $count ->
    [one] dans { $count } minute
   *[other] dans { $count } minutes
}
line-in-hours = { $count ->
    [one] dans { $count } heure
   *[other] dans { $count } heures
}
line-in-days = { $count ->
    [one] dans { $count } jour
   *[other] dans { $count } jours
}

line-asked = Demandé par { $who }, { $ago }.
line-asked-project = Demandé par { $who } pour { $project }, { $ago }.
line-asked-branch = Demandé par { $who }, branche { $branch }, { $ago }.
line-asked-project-branch = Demandé par { $who } pour { $project }, branche { $branch }, { $ago }.
line-due = Échéance { $in }.
line-time-passed = Le délai de l'agent est passé ; votre réponse sera gardée jusqu'à ce qu'il redemande.
line-agent-back = L'agent attend de nouveau.
line-context = Contexte : { $text }
line-context-more = Il y a une suite ; i lit les { $count } lignes.
line-context-none = Il n'y a rien de plus à lire.
line-quote = Citation : { $text }
line-cell = { $name } : { $text }
line-item-done = { $mark } fait : { $text }
line-item-open = { $mark } à faire : { $text }

line-question = Question { $number } sur { $count }.
line-question-label = Question { $number } sur { $count }, { $label }.
line-question-optional = Question { $number } sur { $count }, facultative.
line-question-label-optional = Question { $number } sur { $count }, { $label }, facultative.
line-example = Par exemple : { $text }
line-option = { $number }. { $label }.
line-option-recommended = { $number }. { $label }, recommandé.
line-option-described = { $option } { $description }.
line-option-described-whole = { $option } { $description }
line-option-preview = { $option } A un aperçu, tapez p{ $number }.
line-option-own = 0. Votre propre réponse.
line-options-more = { $count ->
    [one] Il y en a encore { $count } : m le lit, / et un mot cherche.
   *[other] Il y en a encore { $count } : m lit la suite, / et un mot cherche.
}
line-options-no-more = Il n'y en a plus.
line-found = { $count ->
    [one] { $count } choix contient « { $word } » :
   *[other] { $count } choix contiennent « { $word } » :
}
line-found-none = Aucun choix ne contient « { $word } ».
line-preview-none = Tapez p et le numéro d'un choix qui a un aperçu.
line-so-far = Votre réponse pour l'instant : { $answer }
line-note-so-far = Votre note : { $note }
line-note-none = Il n'y a pas de note.
line-note-all-so-far = Votre note pour toutes les réponses : { $note }
line-note-all-none = Il n'y a pas de note pour toutes les réponses.

line-prompt-text = Votre réponse, finissez par une ligne vide (/q quitter, /x refuser, /c et des mots questionner, /? aide) :
line-prompt-confirm = Votre choix (oui, non, 0, q quitter, x refuser, ? aide) :
line-prompt-confirm-several = Votre choix (oui, non, 0, b retour, q quitter, x refuser, ? aide) :
line-prompt-one = Votre choix (numéro, 0, q quitter, x refuser, ? aide) :
line-prompt-one-several = Votre choix (numéro, 0, b retour, q quitter, x refuser, ? aide) :
line-prompt-many = Vos choix (numéros comme 1 3, 0, q quitter, x refuser, ? aide) :
line-prompt-many-several = Vos choix (numéros comme 1 3, 0, b retour, q quitter, x refuser, ? aide) :
line-prompt-own = Votre propre réponse, finissez par une ligne vide :
line-prompt-own-again = Votre propre réponse, finissez par une ligne vide ; une ligne vide seule la retire :
line-prompt-on = Continuez votre réponse, terminez par une ligne vide :
line-prompt-path = Chemin du fichier, vide revient en arrière :
line-prompt-note = Votre note sur cette réponse, en une ligne ; vide la laisse telle quelle, - la supprime :
line-prompt-note-all = Votre note pour toutes les réponses, en une ligne ; vide la laisse telle quelle, - la supprime :
line-prompt-reason = Pourquoi ? Une ligne, vide ne donne aucun motif :
line-prompt-none = Rien de choisi : encore Entrée dit « aucun de ces choix » ; ou choisissez maintenant :
line-prompt-none-several = Rien de choisi : encore Entrée dit « aucun de ces choix », s passe la question ; ou choisissez maintenant :
line-prompt-long = La réponse est longue ({ $count } caractères). Continuer ? [O/n]
line-prompt-decline = Refuser sans motif ? oui/non :
line-prompt-decline-reason = Refuser avec le motif « { $text } » ? oui/non :
line-prompt-ask-back = Demander « { $text } » au lieu de répondre ? oui/non :
line-prompt-send = Envoyer ? oui, non, ou un numéro à modifier (? aide) :
line-prompt-send-late = Garder comme réponse tardive ? oui, non, ou un numéro à modifier (? aide) :
line-prompt-send-one = Envoyer ? oui, b modifier, q quitter, ? aide :
line-prompt-send-one-late = Garder comme réponse tardive ? oui, b modifier, q quitter, ? aide :
line-prompt-unsent = Non envoyé. Un numéro modifie une réponse, oui envoie, q quitte :
line-prompt-unsent-one = Non envoyé. b la modifie, oui envoie, q quitte :

line-unclear-text = Pas compris. Tapez votre réponse ; /? donne l'aide.
line-unclear-command = /{ $word } n'est pas une commande ; /? dit lesquelles existent. Pour l'écrire dans votre réponse, mettez une espace devant.
line-unclear-confirm = Pas compris. Tapez oui, non, ou 0 pour votre propre réponse ; ? donne l'aide.
line-unclear-one = Pas compris. Tapez un numéro de 1 à { $count }, ou 0 pour votre propre réponse ; ? donne l'aide.
line-unclear-many = Pas compris. Tapez des numéros de 1 à { $count } comme 1 3, ou 0 pour votre propre réponse ; ? donne l'aide.
line-unclear-review = Pas compris. Tapez oui pour envoyer, non pour ne pas envoyer, ou le numéro d'une réponse à modifier ; ? donne l'aide.
line-unclear-review-one = Pas compris. Tapez oui pour envoyer, b pour modifier votre réponse, ou q pour quitter ; ? donne l'aide.
line-letter-taken = { $letter } seul est ici une commande. Pour répondre, tapez le mot entier, ou y ou n.
line-ask-back-how = Tapez { $slash }c et votre question sur une ligne.
line-no-own = Pas de réponse libre.
line-own-off = Votre propre réponse est retirée.
line-cut = Un terminal accepte 4 095 octets par ligne : ce que vous avez tapé au-delà est perdu. Pour une longue réponse, écrivez plusieurs lignes ou utilisez votre éditeur : { $slash }e.
line-left-out = La réponse est trop longue : les { $count } derniers caractères sont laissés de côté.
line-needed = Il faut une réponse ; { $slash }x refuse, { $slash }q laisse la question en attente.
line-recommended-none = Rien n'est recommandé ici.
line-aside-how = Tapez { $slash }s et la durée ou l'heure : { $slash }s 15m, { $slash }s 2h, { $slash }s 14:30, { $slash }s tomorrow, { $slash }s asked-again.
line-aside = { $title } : reportée, elle revient { $time }.
line-aside-asked = { $title } : reportée jusqu'à ce qu'elle soit reposée.
line-deadline-none = Elle n'a pas de délai : elle vous attend.
line-more-time = Elle a maintenant plus de temps : échéance { $in }, { $at }.
line-more-typing = Comme vous tapez, elle a plus de temps : échéance { $in }, { $at }.
line-more-none = Il n'y a pas plus de temps à prendre : échéance { $in }, { $at }.
line-more-how = Tapez { $slash }+ seul, ou { $slash }+ et combien de temps en plus : { $slash }+ 10m.
line-editor-none = Un éditeur a besoin d'un terminal ; tapez votre réponse ici.
line-earlier = o{ $number }. { $answer }
line-earlier-which = Tapez { $slash }o pour entendre vos réponses précédentes, { $slash }o et un numéro pour en redonner une.
line-earlier-answer-how = Tapez { $slash }u pour remplir avec ; rien n'est envoyé par là.
line-attach-where = Un fichier appartient à une réponse : tapez d'abord son numéro, puis joignez-le.
line-attached = Joint : { $file }.
line-attached-none = Aucun fichier n'est joint ici.
line-detached = Retiré : { $file }.
line-file = @{ $number }. { $file }
line-files-more = { $count ->
    [one] { $count } autre correspond ; tapez plus de lettres.
   *[other] { $count } autres correspondent ; tapez plus de lettres.
}
line-files-none = Aucun fichier ne correspond.
line-files-how = Tapez @ et un numéro là où vous nommez ce fichier, comme dans : voir @1.
line-files-named = Avec le fichier : { $text }
line-files-nowhere = On ne sait pas dans quel dossier la question est posée, il n'y a donc pas de fichiers à lire.

line-help =
    Un numéro choisit ; 0 est votre propre réponse. Une ligne vide garde ou passe une réponse.
    Là où plusieurs sont possibles, des numéros comme 1 3 choisissent, - les retire ; 0 ajoute votre propre réponse.
    b revient en arrière, q quitte et garde votre brouillon, x refuse, x et des mots avec ce motif,
    c et une question interroge l'agent, a relit la question.
    n et des mots note quelque chose sur cette réponse, N et des mots sur toutes.
    r prend ce qui est recommandé, R le prend pour toutes les questions ouvertes.
    u remplit avec ce que vous avez répondu à la même question peu avant.
    i lit tout le contexte, p et un numéro l'aperçu d'un choix,
    m d'autres choix, / et un mot en cherche. e écrit votre propre réponse dans votre éditeur,
    o lit vos réponses précédentes.
    s reporte la question (s 15m, s 14:30, s tomorrow), + prend plus de temps pour elle (+ 10m).
    f et un chemin joint un fichier, v l'image ou le fichier que vous avez copié, f - retire le dernier.
    @ et quelques lettres lit des fichiers du projet ; @ et un numéro en nomme ensuite un dans une réponse.
line-help-text =
    Ce que vous tapez est votre réponse ; une ligne vide la termine, ou passe la question si c'est possible.
    Les commandes commencent par une barre oblique : /b revient en arrière, /q quitte et garde votre brouillon,
    /x refuse, /x et des mots avec ce motif, /c et une question interroge l'agent, /a relit la question.
    /n et des mots note quelque chose sur cette réponse, /N et des mots sur toutes.
    /R prend ce qui est recommandé pour toutes les questions ouvertes.
    /u remplit avec ce que vous avez répondu à la même question peu avant.
    /i lit tout le contexte, /e écrit votre réponse dans votre éditeur, /o lit les précédentes.
    /s reporte la question (/s 15m, /s 14:30, /s tomorrow), /+ prend plus de temps pour elle (/+ 10m).
    /f et un chemin joint un fichier, /v l'image ou le fichier que vous avez copié, /f - retire le dernier.
    /@ et quelques lettres lit des fichiers du projet ; @ et un numéro en nomme ensuite un dans votre réponse.
    Une ligne de votre réponse qui commence par une barre et un mot se tape avec une espace devant la barre.
line-help-review =
    oui envoie, non n'envoie pas. Le numéro d'une réponse la modifie, b revient à la dernière question.
    q quitte et garde votre brouillon, x refuse, x et des mots avec ce motif,
    c et une question interroge l'agent, a relit vos réponses.
    n et des mots note quelque chose sur toutes les réponses. R prend ce qui est recommandé pour toutes les questions ouvertes.
    u remplit avec ce que vous avez répondu à la même question peu avant.
    i lit tout le contexte. s reporte la question (s 15m, s 14:30, s tomorrow),
    + prend plus de temps pour elle (+ 10m).
line-help-list =
    Un numéro ouvre une question. q quitte. Une ligne vide relit la liste.
    s, un numéro et une durée reporte une question (s 2 15m, s 2 tomorrow), s et son numéro la fait revenir.
    x et un numéro refuse une question, avec des mots derrière comme motif ; on vous demande avant d'envoyer.
    u reprend la dernière réponse envoyée, u et un numéro celle de cette question, tant que son agent ne l'a pas.
    / et des mots ne garde que les questions qui les contiennent, / seule montre tout à nouveau.
    h lit ce qui est terminé, h et des mots y cherche. S lit les statistiques.
    m coupe les notifications et les remet.

line-review = Vos réponses :
line-review-row = { $number }. { $question } : { $answer }
line-review-note = Note pour toutes : { $note }
line-noted = { $answer } (note : { $note })
line-unanswered = sans réponse
line-unanswered-optional = sans réponse, facultative
line-missing = { $count ->
    [one] { $count } question n'a pas de réponse. Obligatoire : { $names }.
   *[other] { $count } questions n'ont pas de réponse. Obligatoires : { $names }.
}
line-said = Votre réponse : { $answer }
line-left-waiting = Laissée en attente ; votre brouillon est gardé.
line-left-unsaved = Laissée en attente ; ce que vous avez écrit n’est pas gardé.
line-nothing-sent = Rien n'a été envoyé.
line-not-sent = Non envoyé : { $problem }.
line-not-sent-try = Non envoyé : { $problem }. Vos réponses sont encore là ; réessayez.
line-unsent = Vous aviez ceci :
