cpdef construction_of(label, tag, partner_feats=*, feats=*, partner_label=*)
cdef _marker(tag, partner_feats)
cdef bint _is_gerund(feats)
