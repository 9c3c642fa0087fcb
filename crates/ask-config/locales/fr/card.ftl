### A card: its tabs, rows, notes, review, dialogs and notices.

## Notes, filter, recommended

card-your-note = votre note
card-note = Note : « { $note } »
card-note-key = Note : « { $note } »  ({ $key } modifie)
card-no-note = Note : aucune
card-no-note-key = Note : aucune  ({ $key } en ajoute)
card-your-note-for-all = votre note pour toutes les réponses
card-note-for-all = { $key }  Note pour toutes les réponses : « { $note } »
card-no-note-for-all = { $key }  Note pour toutes les réponses : aucune
card-filter = Filtre :
card-filter-count = { $shown } sur { $offered }
card-none-recommended = L'agent ne recommande rien ici.
card-none-recommended-at-all = Rien n'est recommandé là où une réponse manque.
card-earlier-answer = Vous avez répondu à ceci il y a { $ago } : { $answer } ({ $key } remplit avec)
card-earlier-answer-narrow = { $key } remplit avec : { $answer }

## Copies

card-copied = Copié, si votre terminal le permet.
card-too-long-to-copy = Trop long à copier.
card-not-answered = sans réponse
card-note-beside = note : { $note }

## The review

card-review = Vérifiez vos réponses
card-missing = ! sans réponse
card-left-out = sans réponse (facultatif)
card-gaps = { $count ->
    [one] ! { $count } question sans réponse. Requise : { $names }
   *[other] ! { $count } questions sans réponse. Requises : { $names }
}
card-button-send = { $count ->
    [0] Envoyer sans réponses
    [one] Envoyer { $count } réponse
   *[other] Envoyer { $count } réponses
}
card-button-anyway = { $count ->
    [one] Envoyer quand même { $count } réponse
   *[other] Envoyer quand même { $count } réponses
}
card-button-anyway-short = Envoyer quand même ({ $count })
card-just-told = L'agent apprend à l'instant que son délai est passé : envoyez à nouveau pour garder votre réponse.
card-button-late = Garder comme réponse tardive
card-button-late-anyway = { $count ->
    [one] Garder { $count } réponse tardive
   *[other] Garder { $count } réponses tardives
}
card-button-late-anyway-short = { $count ->
    [one] Garder { $count } tardive
   *[other] Garder { $count } tardives
}
card-button-go-to = Aller à { $name }

## What agents say

# In an agent's text: an image is not shown, what it is said to show is.
card-image = [image : { $alt }]
card-image-unnamed = [image]

card-yes-no = Oui / Non
card-gone = Disparu.
# What a window shows of a long text.
card-lines = lignes { $first }-{ $last } sur { $total }
# Behind a question, in parentheses.
card-choose-any = { $chosen ->
    [0] (choix multiple)
    [one] (choix multiple ; { $chosen } retenu)
   *[other] (choix multiple ; { $chosen } retenus)
}
card-optional = (facultatif)

## The rows of a question

card-yes = Oui
card-no = Non
# Behind a label.
card-recommended = (Recommandé)
card-recommended-short = (rec.)
card-chosen = ✓ choisi
# Before what was typed and is not part of the answer.
card-kept = (gardé, non choisi) { $text }
card-your-answer = votre réponse
card-your-own-answer = votre propre réponse
# At the right end of a field's frame. $chars is a number, written out.
card-field-size = { $lines ->
    [1] { $chars }
   *[other] { $lines } lignes, { $chars }
}
card-more-above = ↑ { $count } de plus...
card-more-below = ↓ { $count } de plus...
# On the frame of the list: where the cursor stands.
card-row-of = { $row } sur { $rows }

## What a choice would look like

card-preview = Aperçu : { $choice }
# The same where the cursor is on Other, which has none.
card-preview-of-other = Aperçu
card-preview-none = pas d'aperçu
# Where there is no room for it. $key opens it.
card-preview-line = { $lines ->
    [one] { $key } aperçu ({ $lines } ligne)
   *[other] { $key } aperçu ({ $lines } lignes)
}

## A question that is longer than its place

# $down and $up are keys, or "none" where they turn a preview; $read is the key that shows everything.
card-prose-below = ↓ { $below ->
    [one] encore { $below } ligne
   *[other] encore { $below } lignes
} ({ $down ->
    [none] { $read } montre tout
   *[other] { $down }, { $read } montre tout
})
card-prose-above = ↑ { $above ->
    [one] encore { $above } ligne
   *[other] encore { $above } lignes
} ({ $up ->
    [none] { $read }
   *[other] { $up }
})
card-prose-both = ↑ { $above }  ↓ { $below ->
    [one] encore { $below } ligne
   *[other] encore { $below } lignes
}

## What is said above the hints

card-sending = Envoi ...
card-reconnecting = Reconnexion ; continuez à taper, rien n'est perdu.

## Who asks, and the tabs

card-asked = il y a { $age }
card-waits = vous attend
card-waits-no-more = l'agent n'attend plus
card-due = échue
card-due-in = reste { $left }
card-link-down = reconnexion
card-draft-saved = brouillon enregistré { $at }
card-submit = Envoyer
card-place = { $at }/{ $all }
card-tabs-given = { $given ->
    [one] { $given } réponse →
   *[other] { $given } réponses →
}

## Where nothing fits

card-too-small = terminal trop petit ({ $columns }x{ $rows }) : il faut { $least-columns }x{ $least-rows } ; { $enter } pour le mode ligne

## Before an ask is left. $given of $asked questions have answers.

card-discard-typed = Abandonner votre texte ?
card-discard-nothing = Quitter cette question ?
card-discard-answers = { $given ->
    [one] Abandonner { $given } réponse ?
   *[other] Abandonner { $given } réponses ?
}
card-discard-given = { $asked ->
    [one] Vous avez répondu à { $given } question sur { $asked }.
   *[other] Questions répondues : { $given } sur { $asked }.
}
card-agent-waits = L'agent attend toujours.
card-agent-stopped = L'agent n'attend plus.
card-discard-stay = Continuer à répondre
card-discard-leave = Laisser en attente ; garder le brouillon
card-discard-leave-list = Laisser en attente ; garder le brouillon, retour à la liste
card-discard-leave-short = Laisser, garder brouillon
card-discard-cancel = Abandonner et annuler ; prévenir l'agent
card-discard-cancel-short = Abandonner et annuler
card-discard-decline = Refuser avec un motif ...
card-discard-hand-back = Rendre au dialogue de son client
card-handed-back = Rendue : { $who } la pose dans son propre dialogue.
card-said-held = { $said } { $key } annule.
# $last is the number of the last way: 4, or 5 where the ask can be given back to its client.
card-discard-safe = { $ways ->
    [3] Rien n'est envoyé avant le choix { $cancel }, { $decline } ou { $back }.
   *[other] Rien n'est envoyé avant le choix { $cancel } ou { $decline }.
}

## Declining, and asking back

card-decline = Refuser
card-decline-why = Pourquoi ? L'agent le lit. Vide : sans motif.
card-decline-hint = votre motif
card-ask-back = Contre-question
card-ask-back-what = Que voulez-vous savoir ? L'agent reçoit ceci à la place d'une réponse.
card-ask-back-hint = votre question

## A long answer. $chars is a number, written out.

card-long = Une longue réponse
card-long-sure = La réponse est longue ({ $chars } caractères). Continuer ? [Y/n]

## Going on, and what became of it

# $why is a sentence without its full stop, in English.
card-not-sent = Non envoyé : { $why }.
card-filled-in-cut = Non envoyé : cet écran est trop petit pour tout ce qu'un programme a rempli. Agrandissez-le ou utilisez la page.
card-not-sent-try-again = Non envoyé : { $why }. Vos réponses sont encore là ; réessayez.
card-nothing-typed-yet = Rien de tapé encore : tapez une réponse, ou refusez.
card-nothing-typed = Rien de tapé : encore { $enter } n'envoie aucune réponse
card-somebody-first = Quelqu'un vous a devancé ; rien n'a été envoyé.
card-closed-elsewhere = Cette question a été close ailleurs ; rien n'a été envoyé.
card-no-longer-asked = PLUS DEMANDÉE
# $key is a key, as in Alt+Up.
card-words-kept = Votre texte est gardé : dans un champ de texte, { $key } le ramène.
card-words-printed = Votre texte est gardé : il s'affiche quand vous quittez.
card-too-soon = Cette touche est venue trop tôt et n'a rien fait ; votre texte est gardé.
card-your-draft = Votre brouillon :
# $names are the questions where it differs.
card-draft-differs = Votre brouillon ici était différent : { $names }
