"""An FBX file of version 6.1 as text, by hand."""

OLD = """; FBX 6.1.0 project file
FBXHeaderExtension:  {
    FBXVersion: 6100
}
Objects:  {
    Model: "Model::Face", "Mesh" {
        Properties60:  {
            Property: "Lcl Translation", "Lcl Translation", "A",0,2,0
            Property: "open", "Number", "A+N",25
        }
        Vertices: 0,0,0,1,0,0,1,1,0
            ,0,1,0 ; the last one
        PolygonVertexIndex: 0,1,2,-4
        Shape: "open" {
            Indexes: 2,1
            Vertices: 0,0,1,0,0,3
        }
    }
    Material: "Material::skin", "" {
        Properties60:  {
            Property: "DiffuseColor", "Color", "A",0.5,0.25,1
        }
    }
}
Connections:  {
    Connect: "OO", "Model::Face", "Model::Scene"
    Connect: "OO", "Material::skin", "Model::Face"
}
Takes:  {
    Take: "blink" {
        Model: "Model::Face" {
            Channel: "Transform" {
                Channel: "T" {
                    Channel: "X" {
                        Key: 0,0,L,46186158000,3,L
                    }
                }
            }
            Channel: "open" {
                Key:
                    0,0,L,46186158000,100,C,s,
                    92372316000,50,U,s,0,200,n,138558474000,0,U,s,0,0,n
            }
        }
    }
}
Version5:  {
    Settings:  {
        FrameRate: "25"
    }
}
"""
